import type { Formula } from '@albedo/contract/formulae/formulae.schema';
import { boolean, index, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import { users } from '../database/sessions.tables.ts';
import { named, tablePart, yes } from '../database/workgroup-part.tables.ts';
import { workgroups } from '../database/workgroups.tables.ts';

export const formulae = pgTable(
  'formulae',
  {
    id: uuid().primaryKey().defaultRandom(),
    workgroup: text()
      .notNull()
      .references(() => workgroups.name, { onDelete: 'cascade' }),
    ownerId: uuid('owner_id').references(() => users.id, { onDelete: 'set null' }),
    isShared: boolean('is_shared').notNull().default(false),
    title: text().notNull(),
    expression: text().notNull(),
    unit: text(),
    resultUnit: text('result_unit').notNull(),
    inputs: jsonb().$type<Formula['inputs']>().notNull(),
    updatedAt: timestamp('updated_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [index('formulae_of_workgroup').on(table.workgroup)],
);

/** What workgroups have of it. */
export const formulaePart = [
  tablePart(formulae, named(formulae.workgroup), {
    id: yes,
    workgroup: yes,
    ownerId: yes,
    isShared: yes,
    title: yes,
    expression: yes,
    unit: yes,
    resultUnit: yes,
    inputs: yes,
    updatedAt: yes,
  }),
];
