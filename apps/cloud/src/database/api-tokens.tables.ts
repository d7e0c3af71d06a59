import type { Permission } from '@albedo/contract/access/permissions';
import type { RevokedBecause, TokenLife } from '@albedo/contract/api-tokens/api-tokens.schema';
import { boolean, integer, jsonb, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import { named, tablePart, under, yes } from './workgroup-part.tables.ts';
import { workgroups } from './workgroups.tables.ts';

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
  /** The user who made it, on whose rights it lives; null for what was made before this was kept. */
  createdById: uuid('created_by_id'),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
  expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
  lastUsedAt: timestamp('last_used_at', { withTimezone: true }),
  revokedAt: timestamp('revoked_at', { withTimezone: true }),
  /** Why it was revoked where nobody did it by hand. */
  revokedBecause: text('revoked_because').$type<RevokedBecause>(),
});

/** Warnings of an expiry that were sent, or passed over for a later one. One process writes the row and sends. */
export const apiTokenWarnings = pgTable(
  'api_token_warnings',
  {
    tokenId: uuid('token_id')
      .notNull()
      .references(() => apiTokens.id, { onDelete: 'cascade' }),
    /** The expiry of the warning: a renewed token is warned of again. */
    expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
    /** Days before it. */
    days: integer().notNull(),
    at: timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.tokenId, table.expiresAt, table.days] })],
);

/** What workgroups have of it. */
export const apiTokensPart = [
  tablePart(apiTokenWarnings, under(apiTokenWarnings.tokenId, apiTokens, apiTokens.id), {
    tokenId: yes,
    expiresAt: yes,
    days: yes,
    at: yes,
  }),
  tablePart(apiTokens, named(apiTokens.workgroup), {
    id: yes,
    workgroup: yes,
    owner: yes,
    email: yes,
    expiry: yes,
    canRenew: yes,
    permissions: yes,
    devGroup: yes,
    createdBy: yes,
    createdById: yes,
    createdAt: yes,
    expiresAt: yes,
    lastUsedAt: yes,
    revokedAt: yes,
    revokedBecause: yes,
  }),
];
