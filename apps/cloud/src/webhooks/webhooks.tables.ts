import type { WebhookDelivery, Webhook as WebhookOf } from '@albedo/contract/webhooks/webhooks.schema';
import {
  bigserial,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  timestamp,
  unique,
  uuid,
} from 'drizzle-orm/pg-core';
import { named, no, tablePart, yes } from '../database/workgroup-part.tables.ts';
import { workgroups } from '../database/workgroups.tables.ts';

const at = (name: string) => timestamp(name, { withTimezone: true });
const workgroup = () =>
  text()
    .notNull()
    .references(() => workgroups.name, { onDelete: 'cascade' });

/** Up to when new rows of each table are reported, epoch ms. */
export type RowsSeen = Record<string, number>;

/** How many rows of each table were reported, by minute of storing (epoch minutes): `{ table: { minute: count } }`. */
export type RowsTold = Record<string, Record<string, number>>;

export const webhooks = pgTable(
  'webhooks',
  {
    id: uuid().primaryKey().defaultRandom(),
    workgroup: workgroup(),
    name: text().notNull(),
    isEnabled: boolean('is_enabled').notNull(),
    /** Sealed: addresses of webhooks hold secrets. */
    address: text().notNull(),
    host: text().notNull(),
    /** Sealed; signs the messages. */
    secret: text().notNull(),
    /** Sealed; messages are signed with it too until `oldSecretUntil`. */
    oldSecret: text('old_secret'),
    oldSecretUntil: at('old_secret_until'),
    events: jsonb().$type<WebhookOf['events']>().notNull(),
    tables: jsonb().$type<string[]>().notNull(),
    createdBy: text('created_by').notNull(),
    createdAt: at('created_at').notNull(),
    lastOkAt: at('last_ok_at'),
    lastError: text('last_error'),
    failingSince: at('failing_since'),
    /** Failed attempts since then. */
    failures: integer().notNull().default(0),
    /** When the next attempt may be made; null for at once. */
    nextAt: at('next_at'),
    /** People were told that it fails. */
    isReported: boolean('is_reported').notNull().default(false),
    /** Messages in a row that were dropped because they were refused, and when the first of them was refused first. */
    refused: integer().notNull().default(0),
    refusedSince: at('refused_since'),
    offReason: text('off_reason').$type<WebhookOf['offReason']>(),
    /** Rows stored before this do not count as new. */
    rowsSince: at('rows_since').notNull(),
    rowsTold: jsonb('rows_told').$type<RowsTold>().notNull(),
    /** A table that is missing here begins at `rowsSince`. */
    rowsSeen: jsonb('rows_seen').$type<RowsSeen>().notNull().default({}),
  },
  (table) => [unique('webhooks_by_name').on(table.workgroup, table.name)],
);

/** Messages to webhooks, in the order in which they go out. */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    id: uuid().primaryKey(),
    workgroup: workgroup(),
    webhook: uuid()
      .notNull()
      .references(() => webhooks.id, { onDelete: 'cascade' }),
    place: bigserial({ mode: 'number' }).notNull(),
    event: text().$type<WebhookDelivery['event']>().notNull(),
    body: text().notNull(),
    createdAt: at('created_at').notNull(),
    state: text().$type<WebhookDelivery['state']>().notNull().default('waiting'),
    attempts: integer().notNull().default(0),
    status: integer(),
    tookMs: integer('took_ms'),
    error: text(),
    endedAt: at('ended_at'),
  },
  (table) => [
    index('webhook_deliveries_in_order').on(table.webhook, table.state, table.place),
    index('webhook_deliveries_by_time').on(table.createdAt),
  ],
);

export const webhooksPart = [
  tablePart(webhooks, named(webhooks.workgroup), {
    id: yes,
    workgroup: yes,
    name: yes,
    isEnabled: yes,
    address: no,
    host: yes,
    secret: no,
    oldSecret: no,
    oldSecretUntil: yes,
    events: yes,
    tables: yes,
    createdBy: yes,
    createdAt: yes,
    lastOkAt: yes,
    lastError: yes,
    failingSince: yes,
    failures: no,
    nextAt: no,
    isReported: no,
    refused: no,
    refusedSince: yes,
    offReason: yes,
    rowsSince: no,
    rowsTold: no,
    rowsSeen: no,
  }),
  tablePart(webhookDeliveries, named(webhookDeliveries.workgroup), {
    id: yes,
    workgroup: yes,
    webhook: yes,
    place: no,
    event: yes,
    body: no,
    createdAt: yes,
    state: yes,
    attempts: yes,
    status: yes,
    tookMs: yes,
    error: yes,
    endedAt: yes,
  }),
];
