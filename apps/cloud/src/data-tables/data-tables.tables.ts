import { integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { named, tablePart, yes } from '../database/workgroup-part.tables.ts';
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

/** What workgroups have of it. */
export const dataTablesPart = [
  tablePart(retentions, named(retentions.workgroup), { workgroup: yes, table: yes, days: yes }),
  tablePart(fieldNames, named(fieldNames.workgroup), {
    workgroup: yes,
    table: yes,
    field: yes,
    displayName: yes,
    units: yes,
  }),
];
