import type { AccessAction, ResourceType } from '@albedo/contract/access/resources';
import type { PrincipalType, RuleEffect } from '@albedo/contract/access-control/access-control.schema';
import { index, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import { named, tablePart, yes } from '../database/workgroup-part.tables.ts';
import { workgroups } from '../database/workgroups.tables.ts';

/** Rules on who may do what with device commands and dashboards; they count while the addon is on. */
export const accessRules = pgTable(
  'access_rules',
  {
    id: uuid().primaryKey().defaultRandom(),
    workgroup: text()
      .notNull()
      .references(() => workgroups.name, { onDelete: 'cascade' }),
    resourceType: text('resource_type').$type<ResourceType>().notNull(),
    /** Id of one resource, or `all`. */
    resourceId: text('resource_id').notNull(),
    actions: jsonb().$type<AccessAction[]>().notNull(),
    principalType: text('principal_type').$type<PrincipalType>().notNull(),
    /** A user's, role's, token's or device group's id; `-` for kinds that name nobody. */
    principalId: text('principal_id').notNull(),
    effect: text().$type<RuleEffect>().notNull(),
    createdBy: text('created_by').notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [index('access_rules_by_workgroup').on(table.workgroup)],
);

/** What workgroups have of it. */
export const accessControlPart = [
  tablePart(accessRules, named(accessRules.workgroup), {
    id: yes,
    workgroup: yes,
    resourceType: yes,
    resourceId: yes,
    actions: yes,
    principalType: yes,
    principalId: yes,
    effect: yes,
    createdBy: yes,
    createdAt: yes,
  }),
];
