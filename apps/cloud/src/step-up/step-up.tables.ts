import { pgTable, timestamp, uuid } from 'drizzle-orm/pg-core';
import { users } from '../database/sessions.tables.ts';

/** When each user last reached into a device: what they confirmed before that is used up. */
export const remoteConfirmations = pgTable('remote_confirmations', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  usedAt: timestamp('used_at', { withTimezone: true }).notNull().defaultNow(),
});
