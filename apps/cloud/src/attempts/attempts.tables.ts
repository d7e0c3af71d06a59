import { integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

/** Attempts that may be guesses, by what they are limited by, over one window of time. */
export const attempts = pgTable('attempts', {
  key: text().primaryKey(),
  count: integer().notNull(),
  /** The window ends here, and counting starts again. */
  endsAt: timestamp('ends_at', { withTimezone: true }).notNull(),
});
