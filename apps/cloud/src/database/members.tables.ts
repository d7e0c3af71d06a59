import type { Permission, Role } from '@albedo/contract/access/permissions';
import { jsonb, pgTable, text, timestamp, unique, uuid } from 'drizzle-orm/pg-core';
import { named, no, tablePart, yes } from './workgroup-part.tables.ts';
import { workgroups } from './workgroups.tables.ts';

/** Invitations that are not answered; only the SHA-256 of the link's secret is kept. */
export const invites = pgTable(
  'invites',
  {
    id: uuid().primaryKey().defaultRandom(),
    workgroup: text()
      .notNull()
      .references(() => workgroups.name, { onDelete: 'cascade' }),
    /** Small letters. */
    email: text().notNull(),
    /** Known where the staff made the account ready. */
    name: text().notNull().default(''),
    role: text().$type<Role>().notNull(),
    permissions: jsonb().$type<Permission[]>().notNull(),
    devGroup: text('dev_group'),
    idpId: text('idp_id'),
    tokenHash: text('token_hash').notNull().unique(),
    /** E-mail of who invited; null for the staff. */
    invitedBy: text('invited_by'),
    sentAt: timestamp('sent_at', { withTimezone: true }).notNull(),
    expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
  },
  (table) => [unique('invites_workgroup_email').on(table.workgroup, table.email)],
);

/** What workgroups have of it. */
export const invitesPart = [
  tablePart(invites, named(invites.workgroup), {
    id: yes,
    workgroup: yes,
    email: yes,
    name: yes,
    role: yes,
    permissions: yes,
    devGroup: yes,
    idpId: yes,
    tokenHash: no,
    invitedBy: yes,
    sentAt: yes,
    expiresAt: yes,
  }),
];
