import type { LookupTable } from '@albedo/contract/lookup-tables/lookup-tables.schema';
import { jsonb, pgTable, text, timestamp, unique, uuid } from 'drizzle-orm/pg-core';
import { named, tablePart, yes } from '../database/workgroup-part.tables.ts';
import { workgroups } from '../database/workgroups.tables.ts';

export const lookupTables = pgTable(
  'lookup_tables',
  {
    id: uuid().primaryKey().defaultRandom(),
    workgroup: text()
      .notNull()
      .references(() => workgroups.name, { onDelete: 'cascade' }),
    code: text().notNull(),
    name: text().notNull(),
    fields: jsonb().$type<LookupTable['fields']>().notNull(),
    values: jsonb().$type<LookupTable['values']>().notNull(),
    updatedAt: timestamp('updated_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [unique('lookup_tables_by_code').on(table.workgroup, table.code)],
);

/** What workgroups have of it. */
export const lookupTablesPart = [
  tablePart(lookupTables, named(lookupTables.workgroup), {
    id: yes,
    workgroup: yes,
    code: yes,
    name: yes,
    fields: yes,
    values: yes,
    updatedAt: yes,
  }),
];
