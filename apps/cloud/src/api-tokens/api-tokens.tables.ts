import type { Permission } from '@albedo/contract/access/permissions';
import type { TokenLife } from '@albedo/contract/api-tokens/api-tokens.schema';
import { boolean, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import { workgroups } from '../workgroups/workgroups.tables.ts';

/** API tokens; what is given out is signed and not kept. */
export const apiTokens = pgTable('api_tokens', {
  id: uuid().primaryKey().defaultRandom(),
  workgroup: text()
    .notNull()
    .references(() => workgroups.name, { onDelete: 'cascade' }),
  owner: text().notNull(),
  email: text().notNull(),
  expiry: text().$type<TokenLife>().notNull(),
  canRenew: boolean('can_renew').notNull(),
  permissions: jsonb().$type<Permission[]>().notNull(),
  devGroup: text('dev_group'),
  createdBy: text('created_by').notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
  expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
  lastUsedAt: timestamp('last_used_at', { withTimezone: true }),
  revokedAt: timestamp('revoked_at', { withTimezone: true }),
});
