import { bigint, integer, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import { named, no, tablePart, yes } from '../database/workgroup-part.tables.ts';
import { workgroups } from '../database/workgroups.tables.ts';

/** How long events are kept; tables without a row keep them for ever. */
export const retentions = pgTable(
  'data_retentions',
  {
    workgroup: text()
      .notNull()
      .references(() => workgroups.name, { onDelete: 'cascade' }),
    table: text('tbl').notNull(),
    days: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.workgroup, table.table] })],
);

/** What fields are called where people see them. */
export const fieldNames = pgTable(
  'data_fields',
  {
    workgroup: text()
      .notNull()
      .references(() => workgroups.name, { onDelete: 'cascade' }),
    table: text('tbl').notNull(),
    field: text().notNull(),
    displayName: text('display_name'),
    units: text(),
  },
  (table) => [primaryKey({ columns: [table.workgroup, table.table, table.field] })],
);

/** Legal holds on a table, or on one of its months. */
export const legalHolds = pgTable('legal_holds', {
  id: uuid().primaryKey().defaultRandom(),
  workgroup: text()
    .notNull()
    .references(() => workgroups.name, { onDelete: 'cascade' }),
  table: text('tbl').notNull(),
  /** Its first day in UTC; null for the whole table. */
  month: text(),
  reason: text().notNull(),
  by: text().notNull(),
  at: timestamp({ withTimezone: true }).notNull(),
});

/** Months that owners dropped, and whole tables (month '') while that runs. */
export const drops = pgTable(
  'data_drops',
  {
    workgroup: text()
      .notNull()
      .references(() => workgroups.name, { onDelete: 'cascade' }),
    table: text('tbl').notNull(),
    month: text().notNull(),
    by: text().notNull(),
    at: timestamp({ withTimezone: true }).notNull(),
    doneAt: timestamp('done_at', { withTimezone: true }),
    events: bigint({ mode: 'number' }).notNull().default(0),
    cameLater: bigint('came_later', { mode: 'number' }).notNull().default(0),
    /** The long action that deletes it; null if none is running. */
    action: uuid(),
  },
  (table) => [primaryKey({ columns: [table.workgroup, table.table, table.month] })],
);

/** Deletions that a night began and has not finished: events older than `before`, or late events of a dropped month. */
export const cleanings = pgTable(
  'data_cleanings',
  {
    workgroup: text()
      .notNull()
      .references(() => workgroups.name, { onDelete: 'cascade' }),
    table: text('tbl').notNull(),
    /** '' for events older than `before`. */
    month: text().notNull(),
    /** Epoch ms; the end of the month for a dropped month. */
    before: bigint({ mode: 'number' }).notNull(),
    at: timestamp({ withTimezone: true }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.workgroup, table.table, table.month] })],
);

/** What workgroups have of it. */
export const dataTablesPart = [
  tablePart(retentions, named(retentions.workgroup), { workgroup: yes, table: yes, days: yes }),
  tablePart(legalHolds, named(legalHolds.workgroup), {
    id: yes,
    workgroup: yes,
    table: yes,
    month: yes,
    reason: yes,
    by: yes,
    at: yes,
  }),
  tablePart(drops, named(drops.workgroup), {
    workgroup: yes,
    table: yes,
    month: yes,
    by: yes,
    at: yes,
    doneAt: yes,
    events: yes,
    cameLater: yes,
    action: no,
  }),
  tablePart(cleanings, named(cleanings.workgroup), {
    workgroup: yes,
    table: yes,
    month: yes,
    before: yes,
    at: yes,
  }),
  tablePart(fieldNames, named(fieldNames.workgroup), {
    workgroup: yes,
    table: yes,
    field: yes,
    displayName: yes,
    units: yes,
  }),
];
