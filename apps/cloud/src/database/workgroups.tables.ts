import type { Permission, Role } from '@albedo/contract/access/permissions';
import type { Theme } from '@albedo/contract/workgroups/workgroups.schema';
import { boolean, jsonb, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import { users } from './sessions.tables.ts';

export const workgroups = pgTable('workgroups', {
  name: text().primaryKey(),
  displayName: text('display_name').notNull(),
  /** Every member must have two-factor authentication. */
  mfaRequired: boolean('mfa_required').notNull().default(false),
  theme: jsonb().$type<Theme>(),
  /** The identity provider that its members sign in with. */
  idpId: uuid('idp_id'),
  plan: text().notNull().default(''),
  /** Since when the provider keeps everybody out; null while it is open. */
  suspendedAt: timestamp('suspended_at', { withTimezone: true }),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
});

const ofWorkgroup = () =>
  text()
    .notNull()
    .references(() => workgroups.name, { onDelete: 'cascade' });

export const workgroupSettings = pgTable(
  'workgroup_settings',
  { workgroup: ofWorkgroup(), key: text().notNull(), value: jsonb().$type<unknown>() },
  (table) => [primaryKey({ columns: [table.workgroup, table.key] })],
);

/** What the provider enabled for a workgroup. */
export const workgroupAddons = pgTable(
  'workgroup_addons',
  {
    workgroup: ofWorkgroup(),
    id: text().notNull(),
    name: text().notNull(),
    settings: jsonb().$type<Record<string, unknown>>().notNull().default({}),
  },
  (table) => [primaryKey({ columns: [table.workgroup, table.id] })],
);

export const members = pgTable(
  'members',
  {
    workgroup: ofWorkgroup(),
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

/** Names of workgroups that were deleted: none is given again, since tokens that name it may still be around. */
export const deletedWorkgroups = pgTable('deleted_workgroups', {
  name: text().primaryKey(),
  deletedAt: timestamp('deleted_at', { withTimezone: true }).notNull().defaultNow(),
});
