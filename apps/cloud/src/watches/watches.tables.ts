import type { NewWatch } from '@albedo/contract/watches/watches.schema';
import { jsonb, pgTable, text, timestamp, unique, uuid } from 'drizzle-orm/pg-core';
import { users } from '../database/sessions.tables.ts';
import { named, tablePart, yes } from '../database/workgroup-part.tables.ts';
import { workgroups } from '../database/workgroups.tables.ts';

export const watches = pgTable(
  'watches',
  {
    id: uuid().primaryKey().defaultRandom(),
    workgroup: text()
      .notNull()
      .references(() => workgroups.name, { onDelete: 'cascade' }),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    kind: text().$type<NewWatch['kind']>().notNull(),
    target: text().notNull(),
    channels: jsonb().$type<NewWatch['channels']>().notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [unique('watches_once').on(table.workgroup, table.userId, table.kind, table.target)],
);

/** What workgroups have of it. */
export const watchesPart = [
  tablePart(watches, named(watches.workgroup), {
    id: yes,
    workgroup: yes,
    userId: yes,
    kind: yes,
    target: yes,
    channels: yes,
    createdAt: yes,
  }),
];
