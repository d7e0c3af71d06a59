import type {
  BulkPlan,
  BulkState,
  BulkStop,
  BulkTargetState,
  BulkWork,
} from '@albedo/contract/bulk-actions/bulk-actions.schema';
import { index, integer, jsonb, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import { devices } from '../database/devices.tables.ts';
import { named, no, tablePart, yes } from '../database/workgroup-part.tables.ts';
import { workgroups } from '../database/workgroups.tables.ts';
import type { Baselines } from './judge.ts';

const instant = (name: string) => timestamp(name, { withTimezone: true });

/** Things that are done to many devices. */
export const bulkActions = pgTable(
  'bulk_actions',
  {
    id: uuid().primaryKey().defaultRandom(),
    workgroup: text()
      .notNull()
      .references(() => workgroups.name, { onDelete: 'cascade' }),
    about: text().notNull(),
    work: jsonb().$type<BulkWork>().notNull(),
    plan: jsonb().$type<BulkPlan>().notNull(),
    state: text().$type<BulkState>().notNull(),
    stop: jsonb().$type<BulkStop>(),
    /** From 1; 0 before the first one. */
    wave: integer().notNull().default(0),
    waves: integer().notNull(),
    /** Figures of all devices when it began, and when the wave began. */
    baselines: jsonb().$type<Baselines>(),
    byUser: uuid('by_user').notNull(),
    byEmail: text('by_email').notNull(),
    byAddress: text('by_address').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    endedAt: instant('ended_at'),
  },
  (table) => [index('bulk_actions_by_time').on(table.workgroup, table.createdAt)],
);

/** What came of them on each device. */
export const bulkTargets = pgTable(
  'bulk_targets',
  {
    workgroup: text()
      .notNull()
      .references(() => workgroups.name, { onDelete: 'cascade' }),
    actionId: uuid('action_id').notNull(),
    deviceId: uuid('device_id')
      .notNull()
      .references(() => devices.id, { onDelete: 'cascade' }),
    /** Names this one attempt to devices. */
    orderId: uuid('order_id').notNull().defaultRandom(),
    wave: integer().notNull(),
    state: text().$type<BulkTargetState>().notNull(),
    message: text(),
    queuedAt: instant('queued_at'),
    endedAt: instant('ended_at'),
  },
  (table) => [
    primaryKey({ columns: [table.actionId, table.deviceId] }),
    index('bulk_targets_of_device').on(table.deviceId, table.state),
  ],
);

/** What workgroups have of it. */
export const bulkActionsPart = [
  tablePart(bulkActions, named(bulkActions.workgroup), {
    id: yes,
    workgroup: yes,
    about: yes,
    work: yes,
    plan: yes,
    state: yes,
    stop: yes,
    wave: yes,
    waves: yes,
    baselines: no,
    byUser: yes,
    byEmail: yes,
    byAddress: yes,
    createdAt: yes,
    endedAt: yes,
  }),
  tablePart(bulkTargets, named(bulkTargets.workgroup), {
    workgroup: yes,
    actionId: yes,
    deviceId: yes,
    orderId: yes,
    wave: yes,
    state: yes,
    message: yes,
    queuedAt: yes,
    endedAt: yes,
  }),
];
