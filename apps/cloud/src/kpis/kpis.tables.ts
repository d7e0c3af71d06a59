import type { Kpi } from '@albedo/contract/kpis/kpis.schema';
import { integer, jsonb, pgTable, text, timestamp, unique, uuid } from 'drizzle-orm/pg-core';
import { named, tablePart, yes } from '../database/workgroup-part.tables.ts';
import { workgroups } from '../database/workgroups.tables.ts';

export const kpis = pgTable(
  'kpis',
  {
    id: uuid().primaryKey().defaultRandom(),
    workgroup: text()
      .notNull()
      .references(() => workgroups.name, { onDelete: 'cascade' }),
    name: text().notNull(),
    description: text().notNull(),
    /** A list, so that the values keep their order. */
    values: jsonb().$type<(readonly [string, Kpi['values'][string]])[]>().notNull(),
    /** Counts the saves. */
    version: integer().notNull().default(1),
    updatedAt: timestamp('updated_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [unique('kpis_by_name').on(table.workgroup, table.name)],
);

/** What workgroups have of it. */
export const kpisPart = [
  tablePart(kpis, named(kpis.workgroup), {
    id: yes,
    workgroup: yes,
    name: yes,
    description: yes,
    values: yes,
    version: yes,
    updatedAt: yes,
  }),
];
