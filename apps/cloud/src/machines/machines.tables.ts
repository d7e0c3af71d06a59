import type { Machine } from '@albedo/contract/machines/machines.schema';
import { integer, jsonb, pgTable, text, timestamp, unique, uuid } from 'drizzle-orm/pg-core';
import { named, tablePart, yes } from '../database/workgroup-part.tables.ts';
import { workgroups } from '../database/workgroups.tables.ts';

export const machines = pgTable(
  'machines',
  {
    id: uuid().primaryKey().defaultRandom(),
    workgroup: text()
      .notNull()
      .references(() => workgroups.name, { onDelete: 'cascade' }),
    name: text().notNull(),
    class: text().$type<Machine['class']>().notNull(),
    maker: text().notNull(),
    model: text().notNull(),
    ratings: jsonb().$type<Machine['ratings']>().notNull(),
    states: jsonb().$type<Machine['states']>().notNull(),
    powerCurve: jsonb('power_curve').$type<Machine['powerCurve']>().notNull(),
    roles: jsonb().$type<Machine['roles']>().notNull(),
    /** Counts the saves. */
    version: integer().notNull().default(1),
    updatedAt: timestamp('updated_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [unique('machines_by_name').on(table.workgroup, table.name)],
);

/** What workgroups have of it. */
export const machinesPart = [
  tablePart(machines, named(machines.workgroup), {
    id: yes,
    workgroup: yes,
    name: yes,
    class: yes,
    maker: yes,
    model: yes,
    ratings: yes,
    states: yes,
    powerCurve: yes,
    roles: yes,
    version: yes,
    updatedAt: yes,
  }),
];
