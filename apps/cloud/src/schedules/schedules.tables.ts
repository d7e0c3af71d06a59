import type { ScheduleState, ScheduleStep, VersionOutcome } from '@albedo/contract/schedules/schedules.names';
import type {
  InverterFollows,
  ScheduleEntry,
  SetpointBounds,
} from '@albedo/contract/schedules/schedules.schema';
import type { SetpointKind } from '@albedo/contract/schedules/setpoints';
import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { devices } from '../database/devices.tables.ts';
import { named, no, tablePart, yes } from '../database/workgroup-part.tables.ts';
import { workgroups } from '../database/workgroups.tables.ts';

const time = (name: string) => timestamp(name, { withTimezone: true });
const ofWorkgroup = () =>
  text()
    .notNull()
    .references(() => workgroups.name, { onDelete: 'cascade' });
const ofDevice = () =>
  uuid('device_id')
    .notNull()
    .references(() => devices.id, { onDelete: 'cascade' });

/** Shared schedules. */
export const schedules = pgTable(
  'schedules',
  {
    id: uuid().primaryKey().defaultRandom(),
    workgroup: ofWorkgroup(),
    name: text().notNull(),
    description: text().notNull(),
    entries: jsonb().$type<ScheduleEntry[]>().notNull(),
    author: text().notNull(),
    changedAt: time('changed_at').notNull().defaultNow(),
  },
  (table) => [index('schedules_by_name').on(table.workgroup, table.name)],
);

/** What somebody asks for, as it waits for approval. */
export interface AskedFor {
  what: 'apply' | 'override' | 'release';
  userId: string;
  email: string;
  reason: string | null;
  trialMinutes: number | null;
}

/** Schedules of devices. Of one setpoint one is pending at most. */
export const deviceSchedules = pgTable(
  'device_schedules',
  {
    id: uuid().primaryKey().defaultRandom(),
    workgroup: ofWorkgroup(),
    deviceId: ofDevice(),
    setpoint: text().notNull(),
    scheduleId: uuid('schedule_id').references(() => schedules.id, { onDelete: 'set null' }),
    entries: jsonb().$type<ScheduleEntry[]>().notNull(),
    name: text().notNull(),
    description: text().notNull(),
    until: time('until'),
    origin: text().$type<'schedule' | 'override' | 'found'>().notNull(),
    state: text().$type<ScheduleState>().notNull(),
    step: text().$type<ScheduleStep>(),
    asked: jsonb().$type<AskedFor>(),
    reason: text(),
    version: integer(),
    author: text(),
    authorId: uuid('author_id'),
    /** Addresses, and ids of those who wrote it, changed it or asked for it since it was last applied. */
    editors: jsonb().$type<string[]>().notNull(),
    editorIds: jsonb('editor_ids').$type<string[]>().notNull(),
    approver: text(),
    changedAt: time('changed_at').notNull().defaultNow(),
    approvableUntil: time('approvable_until'),
    trialUntil: time('trial_until'),
    appliedAt: time('applied_at'),
    inverters: jsonb().$type<InverterFollows[]>().notNull(),
  },
  (table) => [
    index('device_schedules_of_device').on(table.workgroup, table.deviceId, table.changedAt),
    uniqueIndex('device_schedules_pending')
      .on(table.deviceId, table.setpoint)
      .where(sql`${table.state} = 'pending'`),
  ],
);

/** Setpoints that devices said they have. */
export const deviceSetpoints = pgTable(
  'device_setpoints',
  {
    workgroup: ofWorkgroup(),
    deviceId: ofDevice(),
    path: text().notNull(),
    kind: text().$type<SetpointKind>().notNull(),
    type: text().$type<'fixed' | 'schedule'>().notNull(),
    isEnabled: boolean('is_enabled').notNull(),
    value: text(),
    fault: text(),
    /** The schedule that holds, with its version; null where nothing of ours does. */
    currentId: uuid('current_id'),
    currentVersion: integer('current_version'),
    /** The highest version that the device or we know of. */
    lastVersion: integer('last_version').notNull().default(0),
    /** The lease of an override ends then, unless it is renewed. */
    leaseUntil: time('lease_until'),
    /** Inverters are looked at again then, while something holds. */
    lookAt: time('look_at'),
    bounds: jsonb().$type<SetpointBounds>().notNull(),
    discoveredAt: time('discovered_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.deviceId, table.path] })],
);

/** Every order to a setpoint. They outlive the schedule that they were made of. */
export const scheduleVersions = pgTable(
  'schedule_versions',
  {
    workgroup: ofWorkgroup(),
    deviceId: ofDevice(),
    setpoint: text().notNull(),
    version: integer().notNull(),
    deviceScheduleId: uuid('device_schedule_id').notNull(),
    name: text().notNull(),
    origin: text().$type<'schedule' | 'override' | 'found' | 'release'>().notNull(),
    entries: jsonb().$type<ScheduleEntry[]>().notNull(),
    until: time('until'),
    /** What is ordered, where that is more than the entries: an override goes over what held before. */
    ordered: jsonb().$type<{ datetime: string; value: string }[]>().notNull(),
    /** Epoch ms: the end that stands in the order. */
    endsAt: bigint('ends_at', { mode: 'number' }),
    trialUntil: time('trial_until'),
    author: text(),
    approver: text(),
    reason: text(),
    /** The version that held before, and comes back where this one fails. */
    before: integer(),
    /** It limits to 0 and loosens nothing: it is never taken back by itself. */
    isStop: boolean('is_stop').notNull(),
    /** It takes back what failed, so it is sent until the device has it. */
    isRevert: boolean('is_revert').notNull().default(false),
    outcome: text().$type<VersionOutcome>().notNull(),
    why: text(),
    /** Not sent any more after it, unless it was before. */
    sendBy: time('send_by'),
    sentAt: time('sent_at').notNull().defaultNow(),
    /** The first time that it went out: from then on the device may have it. */
    triedAt: time('tried_at'),
    takenAt: time('taken_at'),
    endedAt: time('ended_at'),
  },
  (table) => [
    primaryKey({ columns: [table.deviceId, table.setpoint, table.version] }),
    uniqueIndex('schedule_versions_pending')
      .on(table.deviceId, table.setpoint)
      .where(sql`${table.outcome} = 'pending'`),
  ],
);

/** When a second person has to agree; without a row as soon as there are two. */
export const controlPolicies = pgTable('control_policies', {
  workgroup: text()
    .primaryKey()
    .references(() => workgroups.name, { onDelete: 'cascade' }),
  twoPeople: text('two_people').$type<'auto' | 'always' | 'never'>().notNull(),
  changedBy: text('changed_by').notNull(),
  changedAt: time('changed_at').notNull().defaultNow(),
});

/** What workgroups have of it. */
export const schedulesPart = [
  tablePart(schedules, named(schedules.workgroup), {
    id: yes,
    workgroup: yes,
    name: yes,
    description: yes,
    entries: yes,
    author: yes,
    changedAt: yes,
  }),
  tablePart(deviceSchedules, named(deviceSchedules.workgroup), {
    id: yes,
    workgroup: yes,
    deviceId: yes,
    setpoint: yes,
    scheduleId: yes,
    entries: yes,
    name: yes,
    description: yes,
    until: yes,
    origin: yes,
    state: yes,
    step: yes,
    asked: yes,
    reason: yes,
    version: yes,
    author: yes,
    authorId: no,
    editors: yes,
    editorIds: no,
    approver: yes,
    changedAt: yes,
    approvableUntil: yes,
    trialUntil: yes,
    appliedAt: yes,
    inverters: yes,
  }),
  tablePart(deviceSetpoints, named(deviceSetpoints.workgroup), {
    workgroup: yes,
    deviceId: yes,
    path: yes,
    kind: yes,
    type: yes,
    isEnabled: yes,
    value: yes,
    fault: yes,
    currentId: yes,
    currentVersion: yes,
    lastVersion: yes,
    leaseUntil: yes,
    lookAt: yes,
    bounds: yes,
    discoveredAt: yes,
  }),
  tablePart(scheduleVersions, named(scheduleVersions.workgroup), {
    workgroup: yes,
    deviceId: yes,
    setpoint: yes,
    version: yes,
    deviceScheduleId: yes,
    name: yes,
    origin: yes,
    entries: yes,
    until: yes,
    ordered: yes,
    endsAt: yes,
    trialUntil: yes,
    author: yes,
    approver: yes,
    reason: yes,
    before: yes,
    isStop: yes,
    isRevert: yes,
    outcome: yes,
    why: yes,
    sendBy: yes,
    sentAt: yes,
    triedAt: yes,
    takenAt: yes,
    endedAt: yes,
  }),
  tablePart(controlPolicies, named(controlPolicies.workgroup), {
    workgroup: yes,
    twoPeople: yes,
    changedBy: yes,
    changedAt: yes,
  }),
];
