import type { NewSchedule, ScheduleStop, SearchContent } from '@albedo/contract/searches/searches.schema';
import { boolean, index, integer, jsonb, pgTable, text, timestamp, unique, uuid } from 'drizzle-orm/pg-core';
import { users } from '../database/sessions.tables.ts';
import { named, tablePart, yes } from '../database/workgroup-part.tables.ts';
import { workgroups } from '../database/workgroups.tables.ts';

export const searches = pgTable(
  'searches',
  {
    id: uuid().primaryKey().defaultRandom(),
    workgroup: text()
      .notNull()
      .references(() => workgroups.name, { onDelete: 'cascade' }),
    ownerId: uuid('owner_id').references(() => users.id, { onDelete: 'set null' }),
    isShared: boolean('is_shared').notNull().default(false),
    name: text().notNull(),
    content: jsonb().$type<SearchContent>().notNull(),
    /** Counts the saves of what is looked for. */
    version: integer().notNull().default(1),
    updatedAt: timestamp('updated_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [index('searches_of_workgroup').on(table.workgroup)],
);

/** Whom searches are mailed to; each user has one at most for a search. */
export const searchSchedules = pgTable(
  'search_schedules',
  {
    id: uuid().primaryKey().defaultRandom(),
    workgroup: text()
      .notNull()
      .references(() => workgroups.name, { onDelete: 'cascade' }),
    searchId: uuid('search_id')
      .notNull()
      .references(() => searches.id, { onDelete: 'cascade' }),
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    schedule: jsonb().$type<NewSchedule>().notNull(),
    /** Null while it is off. */
    nextAt: timestamp('next_at', { withTimezone: true }),
    sentAt: timestamp('sent_at', { withTimezone: true }),
    sentRecords: integer('sent_records'),
    stopped: text().$type<ScheduleStop>(),
  },
  (table) => [
    unique('search_schedules_of_owner').on(table.searchId, table.ownerId),
    index('search_schedules_due').on(table.nextAt),
  ],
);

/** What workgroups have of it. */
export const searchesPart = [
  tablePart(searches, named(searches.workgroup), {
    id: yes,
    workgroup: yes,
    ownerId: yes,
    isShared: yes,
    name: yes,
    content: yes,
    version: yes,
    updatedAt: yes,
  }),
  tablePart(searchSchedules, named(searchSchedules.workgroup), {
    id: yes,
    workgroup: yes,
    searchId: yes,
    ownerId: yes,
    schedule: yes,
    nextAt: yes,
    sentAt: yes,
    sentRecords: yes,
    stopped: yes,
  }),
];
