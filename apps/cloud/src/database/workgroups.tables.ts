import type { Permission, Role } from '@albedo/contract/access/permissions';
import type { Theme } from '@albedo/contract/workgroups/workgroups.schema';
import { boolean, jsonb, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import { users } from './sessions.tables.ts';
import { named, no, tablePart, under, yes } from './workgroup-part.tables.ts';

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

/** What workgroups have of it. */
export const workgroupsPart = [
  tablePart(workgroupAddons, named(workgroupAddons.workgroup), {
    workgroup: yes,
    id: yes,
    name: yes,
    settings: yes,
  }),
  tablePart(workgroupSettings, named(workgroupSettings.workgroup), { workgroup: yes, key: yes, value: yes }),
  tablePart(workgroups, named(workgroups.name), {
    name: yes,
    displayName: yes,
    mfaRequired: yes,
    theme: yes,
    idpId: yes,
    plan: yes,
    suspendedAt: yes,
    createdAt: yes,
  }),
];

/** What workgroups have of it. */
export const membersPart = [
  // Accounts are their people's and not the workgroup's.
  tablePart(
    users,
    under(users.id, members, members.userId),
    {
      id: yes,
      email: yes,
      name: yes,
      company: no,
      phone: no,
      address: no,
      passwordHash: no,
      passwordUntil: no,
      defaultWorkgroup: no,
      createdAt: no,
      sessionsValidFrom: no,
      sessionsSpared: no,
      mfaRequired: no,
      lastSignInAt: no,
    },
    { stays: true },
  ),
  tablePart(members, named(members.workgroup), {
    workgroup: yes,
    userId: yes,
    role: yes,
    permissions: yes,
    devGroup: yes,
    deviceScopes: yes,
    mfaRequired: yes,
  }),
];
