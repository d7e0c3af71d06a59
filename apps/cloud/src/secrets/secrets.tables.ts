import { pgTable, text } from 'drizzle-orm/pg-core';

/** Keys that all processes of one installation must share; used only with a served database. */
export const secrets = pgTable('secrets', {
  name: text().primaryKey(),
  value: text().notNull(),
});
