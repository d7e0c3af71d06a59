import type { Permission, Role } from '@albedo/contract/access/permissions';
import { boolean, jsonb, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import { users } from '../sessions/sessions.tables.ts';

export const workgroups = pgTable('workgroups', {
  name: text().primaryKey(),
  displayName: text('display_name').notNull(),
  /** Every member must have two-factor authentication. */
  mfaRequired: boolean('mfa_required').notNull().default(false),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
});

export const members = pgTable(
  'members',
  {
    workgroup: text()
      .notNull()
      .references(() => workgroups.name, { onDelete: 'cascade' }),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    role: text().$type<Role>().notNull(),
    permissions: jsonb().$type<Permission[]>().notNull().default([]),
    devGroup: text('dev_group'),
    /** Scopes on devices, such as `rpc`. */
    deviceScopes: jsonb('device_scopes').$type<string[]>().notNull().default([]),
    /** This member must have two-factor authentication. */
    mfaRequired: boolean('mfa_required').notNull().default(false),
  },
  (table) => [primaryKey({ columns: [table.workgroup, table.userId] })],
);
