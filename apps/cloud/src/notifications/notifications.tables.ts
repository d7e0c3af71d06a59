import type { NewAlert } from '@albedo/contract/alerts/alerts.schema';
import type { Channel, Escalation, Rota } from '@albedo/contract/notifications/notifications.schema';
import {
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
  uuid,
} from 'drizzle-orm/pg-core';
import { users } from '../database/sessions.tables.ts';
import { named, no, tablePart, yes } from '../database/workgroup-part.tables.ts';
import { workgroups } from '../database/workgroups.tables.ts';
import type { Told, ToldOf } from './told.ts';

const at = (name: string) => timestamp(name, { withTimezone: true });
const workgroup = () =>
  text()
    .notNull()
    .references(() => workgroups.name, { onDelete: 'cascade' });

export const channels = pgTable(
  'notify_channels',
  {
    id: uuid().primaryKey().defaultRandom(),
    workgroup: workgroup(),
    name: text().notNull(),
    kind: text().$type<Channel['kind']>().notNull(),
    isEnabled: boolean('is_enabled').notNull(),
    emails: jsonb().$type<string[]>().notNull(),
    template: text().$type<Channel['template']>(),
    /** Sealed: addresses of webhooks hold secrets. */
    address: text(),
    host: text(),
    /** Sealed. */
    token: text(),
    /** Sealed; of the signature. */
    secret: text(),
    phones: jsonb().$type<string[]>().notNull(),
    lastOkAt: at('last_ok_at'),
    lastError: text('last_error'),
    failingSince: at('failing_since'),
    /** People were told that it fails. */
    isReported: boolean('is_reported').notNull().default(false),
    offReason: text('off_reason').$type<Channel['offReason']>(),
  },
  (table) => [unique('notify_channels_by_name').on(table.workgroup, table.name)],
);

export const escalations = pgTable(
  'escalations',
  {
    id: uuid().primaryKey().defaultRandom(),
    workgroup: workgroup(),
    name: text().notNull(),
    steps: jsonb().$type<Escalation['steps']>().notNull(),
    repeatMinutes: integer('repeat_minutes'),
  },
  (table) => [unique('escalations_by_name').on(table.workgroup, table.name)],
);

export const rotas = pgTable(
  'rotas',
  {
    id: uuid().primaryKey().defaultRandom(),
    workgroup: workgroup(),
    name: text().notNull(),
    zone: text().notNull(),
    members: jsonb().$type<string[]>().notNull(),
    startsOn: text('starts_on').notNull(),
    handover: text().notNull(),
    shiftDays: integer('shift_days').notNull(),
    weekdays: jsonb().$type<number[]>().notNull(),
    overrides: jsonb().$type<Rota['overrides']>().notNull(),
  },
  (table) => [unique('rotas_by_name').on(table.workgroup, table.name)],
);

export const heartbeats = pgTable('notify_heartbeats', {
  workgroup: workgroup().primaryKey(),
  isEnabled: boolean('is_enabled').notNull(),
  everyMinutes: integer('every_minutes').notNull(),
  /** Sealed. */
  address: text(),
  host: text(),
  nextAt: at('next_at').notNull(),
  lastOkAt: at('last_ok_at'),
  lastError: text('last_error'),
});

/** What people were told of an incident, and what is still to be done about it. */
export const toldIncidents = pgTable(
  'told_incidents',
  {
    workgroup: workgroup(),
    incident: uuid().notNull(),
    /** How it is now. */
    content: jsonb().$type<Told>().notNull(),
    notify: jsonb().$type<NewAlert['notify']>().notNull(),
    /** What was told last; null for nothing yet. */
    told: text().$type<'firing' | 'resolved'>(),
    toldAt: at('told_at'),
    /** Who was told that it fires, and hears that it is over. */
    toldTo: jsonb('told_to').$type<ToldOf>().notNull(),
    /** Since its announcements are counted, and how many there were. */
    countedAt: at('counted_at'),
    tellings: integer().notNull().default(0),
    /** It is acknowledged, over or silenced: nobody is asked again. */
    isOver: boolean('is_over').notNull(),
    openedAt: at('opened_at').notNull(),
    /** The step of the escalation that comes next, and in which round. */
    step: integer().notNull().default(0),
    round: integer().notNull().default(0),
    dueAt: at('due_at'),
    repeatAt: at('repeat_at'),
    changedAt: at('changed_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workgroup, table.incident] }),
    index('told_incidents_due').on(table.dueAt),
    index('told_incidents_told').on(table.workgroup, table.toldAt),
  ],
);

/** A workgroup in which more happens than people can read one by one. */
export const floods = pgTable('notify_floods', {
  workgroup: workgroup().primaryKey(),
  since: at('since').notNull(),
});

/** Messages that wait: for the end of somebody's quiet hours, for their daily digest, or for that of a flood. */
export const heldMessages = pgTable(
  'held_messages',
  {
    workgroup: workgroup(),
    /** `user:`, `email:` or `channel:` and the id or address. */
    recipient: text().notNull(),
    incident: uuid().notNull(),
    reason: text().$type<'quiet' | 'digest' | 'flood'>().notNull(),
    what: text().$type<'firing' | 'resolved'>().notNull(),
    /** What its digest said last; null where it was in none yet. */
    toldWhat: text('told_what').$type<'firing' | 'resolved'>(),
    since: at('since').notNull(),
    dueAt: at('due_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workgroup, table.recipient, table.incident] }),
    index('held_messages_due').on(table.dueAt),
  ],
);

/** Messages to webhooks, each repeated under its id until it is taken. */
export const deliveries = pgTable(
  'notify_deliveries',
  {
    id: uuid().primaryKey(),
    workgroup: workgroup(),
    channel: uuid()
      .notNull()
      .references(() => channels.id, { onDelete: 'cascade' }),
    incident: uuid(),
    what: text().notNull(),
    message: jsonb().notNull(),
    createdAt: at('created_at').notNull(),
    state: text().$type<'waiting' | 'delivered' | 'dropped'>().notNull().default('waiting'),
    attempts: integer().notNull().default(0),
    error: text(),
    endedAt: at('ended_at'),
  },
  (table) => [index('notify_deliveries_by_time').on(table.workgroup, table.createdAt)],
);

/** Browsers that get push messages; of people, not of workgroups. */
export const pushSubscriptions = pgTable(
  'push_subscriptions',
  {
    id: uuid().primaryKey().defaultRandom(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** SHA-256 of the address. */
    fingerprint: text().notNull(),
    label: text().notNull(),
    /** Sealed: the address and its keys. */
    subscription: text().notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
    lastOkAt: at('last_ok_at'),
  },
  (table) => [unique('push_subscriptions_once').on(table.fingerprint)],
);

/** What workgroups have of it. */
export const notificationsPart = [
  tablePart(channels, named(channels.workgroup), {
    id: yes,
    workgroup: yes,
    name: yes,
    kind: yes,
    isEnabled: yes,
    emails: yes,
    template: yes,
    address: no,
    host: yes,
    token: no,
    secret: no,
    phones: yes,
    lastOkAt: yes,
    lastError: yes,
    failingSince: yes,
    isReported: no,
    offReason: yes,
  }),
  tablePart(escalations, named(escalations.workgroup), {
    id: yes,
    workgroup: yes,
    name: yes,
    steps: yes,
    repeatMinutes: yes,
  }),
  tablePart(rotas, named(rotas.workgroup), {
    id: yes,
    workgroup: yes,
    name: yes,
    zone: yes,
    members: yes,
    startsOn: yes,
    handover: yes,
    shiftDays: yes,
    weekdays: yes,
    overrides: yes,
  }),
  tablePart(heartbeats, named(heartbeats.workgroup), {
    workgroup: yes,
    isEnabled: yes,
    everyMinutes: yes,
    address: no,
    host: yes,
    nextAt: no,
    lastOkAt: yes,
    lastError: yes,
  }),
  tablePart(toldIncidents, named(toldIncidents.workgroup), {
    workgroup: yes,
    incident: yes,
    content: no,
    notify: no,
    told: yes,
    toldAt: yes,
    toldTo: yes,
    countedAt: no,
    tellings: no,
    isOver: yes,
    openedAt: yes,
    step: no,
    round: no,
    dueAt: no,
    repeatAt: no,
    changedAt: no,
  }),
  tablePart(floods, named(floods.workgroup), { workgroup: no, since: no }),
  tablePart(heldMessages, named(heldMessages.workgroup), {
    workgroup: no,
    recipient: no,
    incident: no,
    reason: no,
    what: no,
    toldWhat: no,
    since: no,
    dueAt: no,
  }),
  tablePart(deliveries, named(deliveries.workgroup), {
    id: yes,
    workgroup: yes,
    channel: yes,
    incident: yes,
    what: yes,
    message: no,
    createdAt: yes,
    state: yes,
    attempts: yes,
    error: yes,
    endedAt: yes,
  }),
];
