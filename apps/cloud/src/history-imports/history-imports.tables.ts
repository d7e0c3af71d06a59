import type {
  HistoryCounts,
  HistoryFault,
  HistoryFormat,
  HistoryPlan,
  HistoryState,
} from '@albedo/contract/history-imports/history-imports.schema';
import { bigint, index, jsonb, pgTable, serial, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import { named, no, tablePart, yes } from '../database/workgroup-part.tables.ts';
import { workgroups } from '../database/workgroups.tables.ts';
import type { StoredPart } from './stored-file.ts';

/** Events of others that were taken out for those of an import. */
export interface ReplacedEvents {
  key: string;
  streams: { device: string; table: string; source: string }[];
  events: number;
  /** Whose they were, as the first of their numbers. */
  numbers: number[];
  firstAt: number;
}

const at = (name: string) => timestamp(name, { withTimezone: true });

/** Files of history, and what became of them. */
export const historyImports = pgTable(
  'history_imports',
  {
    id: uuid().primaryKey().defaultRandom(),
    workgroup: text()
      .notNull()
      .references(() => workgroups.name, { onDelete: 'cascade' }),
    /** Its part of the numbers of events. */
    serial: serial().notNull(),
    name: text().notNull(),
    format: text().$type<HistoryFormat>().notNull(),
    bytes: bigint({ mode: 'number' }).notNull(),
    received: bigint({ mode: 'number' }).notNull().default(0),
    /** Where its bytes lie, in their order; empty once they are not needed any more. */
    parts: jsonb().$type<StoredPart[]>().notNull().default([]),
    state: text().$type<HistoryState>().notNull().default('uploading'),
    plan: jsonb().$type<HistoryPlan>(),
    /** What it took out of the store, as files, so that an undo puts it back. */
    replaced: jsonb().$type<ReplacedEvents[]>().notNull().default([]),
    counts: jsonb().$type<HistoryCounts>().notNull(),
    faults: jsonb().$type<HistoryFault[]>().notNull().default([]),
    firstAt: at('first_at'),
    lastAt: at('last_at'),
    error: text(),
    by: text().notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
    /** The newest long action. */
    action: uuid('action_id'),
    /** Last sign of life of its long action; null before it runs. */
    seenAt: at('seen_at'),
  },
  (table) => [index('history_imports_by_time').on(table.workgroup, table.createdAt)],
);

/** What workgroups have of it. */
export const historyImportsPart = [
  tablePart(historyImports, named(historyImports.workgroup), {
    id: yes,
    workgroup: yes,
    serial: no,
    name: yes,
    format: yes,
    bytes: yes,
    received: yes,
    parts: no,
    state: yes,
    plan: yes,
    replaced: no,
    counts: yes,
    faults: yes,
    firstAt: yes,
    lastAt: yes,
    error: yes,
    by: yes,
    createdAt: yes,
    action: no,
    seenAt: no,
  }),
];
