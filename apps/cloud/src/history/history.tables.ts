import type { HistoryKind } from '@albedo/contract/history/history.schema';
import { index, integer, jsonb, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import { named, tablePart, yes } from '../database/workgroup-part.tables.ts';
import { workgroups } from '../database/workgroups.tables.ts';

/** Every save of things that have versions, as they were saved. */
export const savedVersions = pgTable(
  'saved_versions',
  {
    workgroup: text()
      .notNull()
      .references(() => workgroups.name, { onDelete: 'cascade' }),
    kind: text().$type<HistoryKind>().notNull(),
    thing: text().notNull(),
    version: integer().notNull(),
    name: text().notNull(),
    /** Null where this save deleted it. */
    content: jsonb(),
    by: text().notNull(),
    at: timestamp({ withTimezone: true }).notNull(),
    /** What was saved together has the same one. */
    change: uuid(),
  },
  (table) => [
    primaryKey({ columns: [table.workgroup, table.kind, table.thing, table.version] }),
    index('saved_versions_by_change').on(table.workgroup, table.change),
  ],
);

/** What workgroups have of it. */
export const historyPart = [
  tablePart(savedVersions, named(savedVersions.workgroup), {
    workgroup: yes,
    kind: yes,
    thing: yes,
    version: yes,
    name: yes,
    content: yes,
    by: yes,
    at: yes,
    change: yes,
  }),
];
