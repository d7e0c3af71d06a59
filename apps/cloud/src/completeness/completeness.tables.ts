import type { GapCause } from '@albedo/contract/completeness/completeness.schema';
import { bigint, index, jsonb, pgTable, text, timestamp, unique, uuid } from 'drizzle-orm/pg-core';
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
  (table) => [index('completeness_quarantine_device').on(table.deviceId, table.id)],
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
