import type { ApprovalDecision, ApprovalWay } from '@albedo/contract/approvals/approvals.schema';
import { boolean, index, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import { named, tablePart, yes } from '../database/workgroup-part.tables.ts';
import { workgroups } from '../database/workgroups.tables.ts';

const time = (name: string) => timestamp(name, { withTimezone: true });

/** Requests to reach into devices. They outlive their device and their user: the record is about what was done. */
export const approvals = pgTable(
  'approvals',
  {
    id: uuid().primaryKey().defaultRandom(),
    workgroup: text()
      .notNull()
      .references(() => workgroups.name, { onDelete: 'cascade' }),
    deviceId: uuid('device_id').notNull(),
    userId: uuid('user_id').notNull(),
    by: text().notNull(),
    way: text().$type<ApprovalWay>().notNull(),
    target: text(),
    reason: text().notNull(),
    askedAt: time('asked_at').notNull().defaultNow(),
    expiresAt: time('expires_at').notNull(),
    decision: text().$type<ApprovalDecision | 'withdrawn'>(),
    decidedBy: text('decided_by'),
    decidedAt: time('decided_at'),
    usedAt: time('used_at'),
  },
  (table) => [
    index('approvals_of_workgroup').on(table.workgroup, table.askedAt),
    index('approvals_of_device').on(table.deviceId, table.askedAt),
  ],
);

/** Whether a second person has to agree; without a row nobody has to. */
export const approvalRules = pgTable('approval_rules', {
  workgroup: text()
    .primaryKey()
    .references(() => workgroups.name, { onDelete: 'cascade' }),
  isNeeded: boolean('is_needed').notNull(),
  changedBy: text('changed_by').notNull(),
  changedAt: time('changed_at').notNull().defaultNow(),
});

/** What workgroups have of it. */
export const approvalsPart = [
  tablePart(approvals, named(approvals.workgroup), {
    id: yes,
    workgroup: yes,
    deviceId: yes,
    userId: yes,
    by: yes,
    way: yes,
    target: yes,
    reason: yes,
    askedAt: yes,
    expiresAt: yes,
    decision: yes,
    decidedBy: yes,
    decidedAt: yes,
    usedAt: yes,
  }),
  tablePart(approvalRules, named(approvalRules.workgroup), {
    workgroup: yes,
    isNeeded: yes,
    changedBy: yes,
    changedAt: yes,
  }),
];
