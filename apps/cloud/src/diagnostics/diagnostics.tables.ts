import { bigint, index, integer, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import { users } from '../database/sessions.tables.ts';
import { named, no, tablePart, yes } from '../database/workgroup-part.tables.ts';
import { workgroups } from '../database/workgroups.tables.ts';

const at = (name: string) => timestamp(name, { withTimezone: true });
const workgroup = () =>
  text()
    .notNull()
    .references(() => workgroups.name, { onDelete: 'cascade' });
/** Days since 1970, UTC. */
const day = () => integer().notNull();
const count = () => bigint({ mode: 'number' }).notNull();

/** Errors that browsers of all workgroups report. The same error is one row, however often and wherever it happens. */
export const frontendErrors = pgTable(
  'frontend_errors',
  {
    /** Fingerprint of the message and the place in the code. */
    id: text().primaryKey(),
    message: text().notNull(),
    place: text().notNull(),
    /** The newest stack. */
    stack: text().notNull(),
    source: text().notNull(),
    firstAt: at('first_at').notNull(),
    lastAt: at('last_at').notNull(),
    firstVersion: text('first_version').notNull(),
    lastVersion: text('last_version').notNull(),
    resolvedAt: at('resolved_at'),
    resolvedBy: text('resolved_by'),
    /** Reports from older versions do not reopen it. */
    resolvedVersion: text('resolved_version'),
    returnedAt: at('returned_at'),
    returnedIn: text('returned_in'),
  },
  (table) => [index('frontend_errors_by_time').on(table.lastAt)],
);

const error = () =>
  text()
    .notNull()
    .references(() => frontendErrors.id, { onDelete: 'cascade' });

export const frontendErrorCounts = pgTable(
  'frontend_error_counts',
  {
    error: error(),
    day: day(),
    workgroup: workgroup(),
    version: text().notNull(),
    browser: text().notNull(),
    count: count(),
  },
  (table) => [
    primaryKey({ columns: [table.error, table.day, table.workgroup, table.version, table.browser] }),
    index('frontend_error_counts_by_day').on(table.day),
  ],
);

/** The newest few addresses at which an error happened. */
export const frontendErrorPlaces = pgTable(
  'frontend_error_places',
  {
    error: error(),
    workgroup: workgroup(),
    location: text().notNull(),
    count: count(),
    lastAt: at('last_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.error, table.workgroup, table.location] })],
);

/** Who looked at which page on a day. The person is kept only to count each one once. */
export const pageUses = pgTable(
  'page_uses',
  {
    day: day(),
    workgroup: workgroup(),
    page: text().notNull(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    visits: integer().notNull(),
    seconds: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.workgroup, table.page, table.userId] })],
);

export const diagnosticsPart = [
  tablePart(frontendErrorCounts, named(frontendErrorCounts.workgroup), {
    error: yes,
    day: yes,
    workgroup: yes,
    version: yes,
    browser: yes,
    count: yes,
  }),
  tablePart(frontendErrorPlaces, named(frontendErrorPlaces.workgroup), {
    error: yes,
    workgroup: yes,
    location: yes,
    count: yes,
    lastAt: yes,
  }),
  tablePart(pageUses, named(pageUses.workgroup), {
    day: yes,
    workgroup: yes,
    page: yes,
    userId: no,
    visits: yes,
    seconds: yes,
  }),
];
