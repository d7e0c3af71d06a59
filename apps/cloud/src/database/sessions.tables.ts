import { boolean, index, integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';

export const users = pgTable('users', {
  id: uuid().primaryKey().defaultRandom(),
  /** Small letters. */
  email: text().notNull().unique(),
  name: text().notNull(),
  company: text().notNull().default(''),
  phone: text().notNull().default(''),
  address: text().notNull().default(''),
  /** argon2id in PHC form; null for a user without a password of ours. */
  passwordHash: text('password_hash'),
  /** When a password that the server made stops opening anything; null for one that its holder chose. */
  passwordUntil: timestamp('password_until', { withTimezone: true }),
  defaultWorkgroup: text('default_workgroup'),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  /** Session tokens made before this instant are no longer good. */
  sessionsValidFrom: timestamp('sessions_valid_from', { withTimezone: true }),
  /** `jti` of the one older token that stays good. */
  sessionsSpared: text('sessions_spared'),
  /** The user must have two-factor authentication, whatever the workgroups say. */
  mfaRequired: boolean('mfa_required').notNull().default(false),
  /** When the newest session began; null before the first one. */
  lastSignInAt: timestamp('last_sign_in_at', { withTimezone: true }),
});

export const revokedSessions = pgTable('revoked_sessions', {
  jti: text().primaryKey(),
  /** After this instant the token is expired anyway and the row may go. */
  expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
});

/** Sessions as their holders see them. A row comes with the first use of a session; the token itself is kept nowhere. */
export const openSessions = pgTable(
  'open_sessions',
  {
    jti: text().primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    address: text().notNull(),
    /** What the browser says it is. */
    agent: text().notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
    /** When its holder last did something, to the minute. */
    seenAt: timestamp('seen_at', { withTimezone: true }).notNull(),
    expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
    /** When its holder confirmed last that it is them, epoch seconds: tokens of before are no longer good. */
    confirmedAt: integer('confirmed_at'),
  },
  (table) => [index('open_sessions_by_user').on(table.userId)],
);
