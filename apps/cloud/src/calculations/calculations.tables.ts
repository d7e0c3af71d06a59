import type { ChangeCause, NewCalculation } from '@albedo/contract/calculations/calculations.schema';
import { sql } from 'drizzle-orm';
import {
  bigint,
  bigserial,
  boolean,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
  uuid,
} from 'drizzle-orm/pg-core';
import { named, tablePart, under, yes } from '../database/workgroup-part.tables.ts';
import { workgroups } from '../database/workgroups.tables.ts';

const workgroup = () =>
  text()
    .notNull()
    .references(() => workgroups.name, { onDelete: 'cascade' });

export const calculations = pgTable(
  'calculations',
  {
    id: uuid().primaryKey().defaultRandom(),
    workgroup: workgroup(),
    name: text().notNull(),
    description: text().notNull(),
    isActive: boolean('is_active').notNull(),
    /** The telemetry table that it writes. */
    writesTo: text('writes_to').notNull(),
    interval: text().$type<NewCalculation['interval']>().notNull(),
    target: jsonb().$type<NewCalculation['target']>().notNull(),
    /** A list, so that the values keep their order. */
    values: jsonb().$type<(readonly [string, NewCalculation['values'][string]])[]>().notNull(),
    /** Counts the saves. */
    version: integer().notNull().default(1),
    updatedAt: timestamp('updated_at', { withTimezone: true }).notNull().defaultNow(),
    /** Epoch ms from which it is computed. */
    since: bigint({ mode: 'number' }).notNull(),
    computedAt: timestamp('computed_at', { withTimezone: true }),
    failure: text(),
  },
  (table) => [unique('calculations_by_name').on(table.workgroup, table.name)],
);

const calculation = () =>
  uuid()
    .notNull()
    .references(() => calculations.id, { onDelete: 'cascade' });

/** How far the telemetry of a workgroup was looked through for what touches calculations. */
export const calculationWatches = pgTable('calculation_watches', {
  workgroup: workgroup().primaryKey(),
  /** By the time of storing, epoch ms. */
  storedAt: bigint('stored_at', { mode: 'number' }).notNull(),
});

/** Entities of a calculation, with what its values were made of when this was last looked at. */
export const calculationTargets = pgTable(
  'calculation_targets',
  {
    calculation: calculation(),
    entity: text().notNull(),
    zone: text().notNull(),
    version: integer().notNull(),
    streams: text().notNull(),
    facts: jsonb().$type<Record<string, unknown>>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.calculation, table.entity] })],
);

/** Stretches (a day, or what is longer) that are to be computed: each once, however often it is touched. */
export const calculationWork = pgTable(
  'calculation_work',
  {
    calculation: calculation(),
    zone: text().notNull(),
    /** Epoch ms. */
    fromAt: bigint('from_at', { mode: 'number' }).notNull(),
    toAt: bigint('to_at', { mode: 'number' }).notNull(),
    /** Null for all of them. */
    entities: jsonb().$type<string[]>(),
    causes: jsonb().$type<WorkCause[]>().notNull(),
    dueAt: bigint('due_at', { mode: 'number' }).notNull(),
    /** Counts how often it was touched, so that what comes while it is computed is not forgotten. */
    touches: integer().notNull().default(1),
    attempts: integer().notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.calculation, table.zone, table.fromAt] }),
    index('calculation_work_by_time').on(table.dueAt),
  ],
);

/** `live` is what came in time. */
export type WorkCause = ChangeCause | 'live';

/** Numbers that are other ones now. */
export const calculationChanges = pgTable(
  'calculation_changes',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    calculation: calculation(),
    entity: text().notNull(),
    field: text().notNull(),
    at: bigint({ mode: 'number' }).notNull(),
    was: doublePrecision(),
    now: doublePrecision(),
    cause: text().$type<ChangeCause>().notNull(),
    version: integer().notNull(),
    changedAt: timestamp('changed_at', { withTimezone: true }).notNull().default(sql`now()`),
  },
  (table) => [index('calculation_changes_by_time').on(table.calculation, table.id)],
);

const ofCalculation = under(calculationTargets.calculation, calculations, calculations.id);

/** What workgroups have of it. */
export const calculationsPart = [
  tablePart(calculations, named(calculations.workgroup), {
    id: yes,
    workgroup: yes,
    name: yes,
    description: yes,
    isActive: yes,
    writesTo: yes,
    interval: yes,
    target: yes,
    values: yes,
    version: yes,
    updatedAt: yes,
    since: yes,
    computedAt: yes,
    failure: yes,
  }),
  tablePart(calculationWatches, named(calculationWatches.workgroup), { workgroup: yes, storedAt: yes }),
  tablePart(calculationTargets, ofCalculation, {
    calculation: yes,
    entity: yes,
    zone: yes,
    version: yes,
    streams: yes,
    facts: yes,
  }),
  tablePart(calculationWork, under(calculationWork.calculation, calculations, calculations.id), {
    calculation: yes,
    zone: yes,
    fromAt: yes,
    toAt: yes,
    entities: yes,
    causes: yes,
    dueAt: yes,
    touches: yes,
    attempts: yes,
  }),
  tablePart(calculationChanges, under(calculationChanges.calculation, calculations, calculations.id), {
    id: yes,
    calculation: yes,
    entity: yes,
    field: yes,
    at: yes,
    was: yes,
    now: yes,
    cause: yes,
    version: yes,
    changedAt: yes,
  }),
];
