import { pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { named, tablePart, yes } from '../database/workgroup-part.tables.ts';
import { workgroups } from '../database/workgroups.tables.ts';

/** Tables whose values may be of the future, such as prices, weather and schedules. */
export const forecastTables = pgTable(
  'forecast_tables',
  {
    workgroup: text()
      .notNull()
      .references(() => workgroups.name, { onDelete: 'cascade' }),
    table: text('tbl').notNull(),
  },
  (table) => [primaryKey({ columns: [table.workgroup, table.table] })],
);

/** What workgroups have of it. */
export const forecastTablesPart = [
  tablePart(forecastTables, named(forecastTables.workgroup), { workgroup: yes, table: yes }),
];
