import type { GapCause } from '@albedo/contract/completeness/completeness.schema';
import {
  bigint,
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
import { devices } from '../database/devices.tables.ts';
import { tablePart, under, yes } from '../database/workgroup-part.tables.ts';
import type { SavedState } from './device-ledger.ts';

/**
 * The ledger of each device at its last checkpoint. Rows have no reference to the device, so that saving many of them
 * in one statement never fails for the one that was deleted just now.
 */
export const ledgers = pgTable('completeness', {
  deviceId: uuid('device_id').primaryKey(),
  state: jsonb().$type<SavedState>().notNull(),
  /** Everything stored before this instant is in `state`. */
  savedAt: timestamp('saved_at', { withTimezone: true }).notNull(),
});

/** Numbers that the store does not have and never will; one row for each stream and cause. Empty text: no stream. */
export const gaps = pgTable(
  'completeness_gaps',
  {
    deviceId: uuid('device_id').notNull(),
    from: bigint('from_id', { mode: 'number' }).notNull(),
    to: bigint('to_id', { mode: 'number' }).notNull(),
    table: text('tbl').notNull(),
    source: text().notNull(),
    cause: text().$type<GapCause>().notNull(),
    events: bigint({ mode: 'number' }),
    firstEventAt: bigint('first_event_at', { mode: 'number' }),
    lastEventAt: bigint('last_event_at', { mode: 'number' }),
    reportedAt: bigint('reported_at', { mode: 'number' }).notNull(),
  },
  (table) => [
    unique('completeness_gaps_once').on(table.deviceId, table.from, table.cause, table.table, table.source),
    index('completeness_gaps_by_time').on(table.reportedAt),
  ],
);

/** What could not be stored, for people to look at: the newest of each device. */
export const quarantine = pgTable(
  'completeness_quarantine',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    deviceId: uuid('device_id').notNull(),
    receivedAt: timestamp('received_at', { withTimezone: true }).notNull(),
    topic: text().notNull(),
    reason: text().notNull(),
    msgIds: jsonb('msg_ids').$type<number[]>().notNull(),
    sample: text().notNull(),
  },
  (table) => [
    index('completeness_quarantine_device').on(table.deviceId, table.id),
    index('completeness_quarantine_by_time').on(table.receivedAt),
  ],
);

/** What the scrub found in the store of each stream on each day; `day` counts from 1970. */
export const days = pgTable(
  'completeness_days',
  {
    deviceId: uuid('device_id').notNull(),
    /** The workgroup under which the events lie in the store. */
    storedIn: text('stored_in').notNull(),
    table: text('tbl').notNull(),
    source: text().notNull(),
    day: integer().notNull(),
    events: bigint({ mode: 'number' }).notNull(),
    /** Of `events`, those that are not there any more. */
    missing: bigint({ mode: 'number' }).notNull(),
    seenAt: timestamp('seen_at', { withTimezone: true }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.deviceId, table.storedIn, table.table, table.source, table.day] }),
    index('completeness_days_group').on(table.storedIn, table.table, table.day),
    index('completeness_days_seen').on(table.seenAt),
  ],
);

/** Events that came with a file of history, by stream. */
export const imported = pgTable(
  'completeness_imported',
  {
    importId: uuid('import_id').notNull(),
    deviceId: uuid('device_id').notNull(),
    table: text('tbl').notNull(),
    source: text().notNull(),
    name: text().notNull(),
    by: text().notNull(),
    events: bigint({ mode: 'number' }).notNull(),
    firstEventAt: timestamp('first_event_at', { withTimezone: true }).notNull(),
    lastEventAt: timestamp('last_event_at', { withTimezone: true }).notNull(),
    at: timestamp({ withTimezone: true }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.importId, table.deviceId, table.table, table.source] }),
    index('completeness_imported_device').on(table.deviceId, table.at),
  ],
);

/** What workgroups have of it. */
export const completenessPart = [
  tablePart(ledgers, under(ledgers.deviceId, devices, devices.id), {
    deviceId: yes,
    state: yes,
    savedAt: yes,
  }),
  tablePart(gaps, under(gaps.deviceId, devices, devices.id), {
    deviceId: yes,
    from: yes,
    to: yes,
    table: yes,
    source: yes,
    cause: yes,
    events: yes,
    firstEventAt: yes,
    lastEventAt: yes,
    reportedAt: yes,
  }),
  tablePart(days, under(days.deviceId, devices, devices.id), {
    deviceId: yes,
    storedIn: yes,
    table: yes,
    source: yes,
    day: yes,
    events: yes,
    missing: yes,
    seenAt: yes,
  }),
  tablePart(imported, under(imported.deviceId, devices, devices.id), {
    importId: yes,
    deviceId: yes,
    table: yes,
    source: yes,
    name: yes,
    by: yes,
    events: yes,
    firstEventAt: yes,
    lastEventAt: yes,
    at: yes,
  }),
  tablePart(quarantine, under(quarantine.deviceId, devices, devices.id), {
    id: yes,
    deviceId: yes,
    receivedAt: yes,
    topic: yes,
    reason: yes,
    msgIds: yes,
    sample: yes,
  }),
];
