import type {
  CommissioningPlan,
  CommissioningStep,
} from '@albedo/contract/commissioning/commissioning.schema';
import { jsonb, pgTable, text, timestamp, unique, uuid } from 'drizzle-orm/pg-core';
import { devices } from '../database/devices.tables.ts';
import { users } from '../database/sessions.tables.ts';
import { named, tablePart, yes } from '../database/workgroup-part.tables.ts';
import { workgroups } from '../database/workgroups.tables.ts';

/** Plants that people are setting up; each person has one at most for a device. */
export const commissionings = pgTable(
  'commissionings',
  {
    id: uuid().primaryKey().defaultRandom(),
    workgroup: text()
      .notNull()
      .references(() => workgroups.name, { onDelete: 'cascade' }),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    deviceId: uuid('device_id')
      .notNull()
      .references(() => devices.id, { onDelete: 'cascade' }),
    step: text().$type<CommissioningStep>().notNull().default('install'),
    plan: jsonb().$type<CommissioningPlan>().notNull(),
    /** The site in the tree; chosen before it is made, so that a second attempt does not make a second one. */
    entity: text(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
    changedAt: timestamp('changed_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [unique('commissionings_of_person').on(table.workgroup, table.userId, table.deviceId)],
);

/** What workgroups have of it. */
export const commissioningPart = [
  tablePart(commissionings, named(commissionings.workgroup), {
    id: yes,
    workgroup: yes,
    userId: yes,
    deviceId: yes,
    step: yes,
    plan: yes,
    entity: yes,
    createdAt: yes,
    changedAt: yes,
  }),
];
