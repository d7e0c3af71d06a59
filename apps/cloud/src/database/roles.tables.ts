import { foreignKey, pgTable, primaryKey, text, timestamp, unique, uuid } from 'drizzle-orm/pg-core';
import { named, tablePart, yes } from './workgroup-part.tables.ts';
import { members, workgroups } from './workgroups.tables.ts';

/** Named sets that are given to users, to aim access-control rules at. */
export const roles = pgTable(
  'roles',
  {
    id: uuid().primaryKey().defaultRandom(),
    workgroup: text()
      .notNull()
      .references(() => workgroups.name, { onDelete: 'cascade' }),
    name: text().notNull(),
    description: text().notNull().default(''),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [unique('roles_by_name').on(table.workgroup, table.name)],
);

/** Who has a role; people who leave the workgroup lose its roles. */
export const roleMembers = pgTable(
  'role_members',
  {
    roleId: uuid('role_id')
      .notNull()
      .references(() => roles.id, { onDelete: 'cascade' }),
    workgroup: text().notNull(),
    userId: uuid('user_id').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.roleId, table.userId] }),
    foreignKey({
      name: 'role_members_of_member',
      columns: [table.workgroup, table.userId],
      foreignColumns: [members.workgroup, members.userId],
    }).onDelete('cascade'),
  ],
);

/** What workgroups have of it. */
export const rolesPart = [
  tablePart(roleMembers, named(roleMembers.workgroup), { roleId: yes, workgroup: yes, userId: yes }),
  tablePart(roles, named(roles.workgroup), {
    id: yes,
    workgroup: yes,
    name: yes,
    description: yes,
    createdAt: yes,
  }),
];
