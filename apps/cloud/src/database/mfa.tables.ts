import { bigint, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import { users } from './sessions.tables.ts';

/** Authenticator apps of users; secrets are sealed with a key that is not in this database. */
export const totpSecrets = pgTable('totp_secrets', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** Null until the first set-up is confirmed. */
  secret: text(),
  /** Time step of the last code that was accepted; older and equal ones are refused. */
  lastStep: bigint('last_step', { mode: 'number' }),
  /** SHA-256; null once it was used. */
  recoveryHash: text('recovery_hash'),
  /** Waits for its first code. */
  pendingSecret: text('pending_secret'),
  pendingAt: timestamp('pending_at', { withTimezone: true }),
});
