import type { Entity, Signals } from '@albedo/contract/entities/entities.schema';
import {
  bigint,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core';
import { named, tablePart, yes } from '../database/workgroup-part.tables.ts';
import { workgroups } from '../database/workgroups.tables.ts';

const workgroup = () =>
  text()
    .notNull()
    .references(() => workgroups.name, { onDelete: 'cascade' });

/** The tree of each workgroup that has one: its version, which every change takes first, so that one follows another. */
export const entityTrees = pgTable('entity_trees', {
  workgroup: workgroup().primaryKey(),
  version: bigint({ mode: 'number' }).notNull(),
});

/** Ids are chosen by clients, so they are of one workgroup alone. */
export const entities = pgTable(
  'entities',
  {
    workgroup: workgroup(),
    id: text().notNull(),
    parent: text(),
    name: text().notNull(),
    labels: jsonb().$type<string[]>().notNull(),
    machine: uuid(),
    meta: jsonb().$type<Entity['meta']>().notNull(),
    signals: jsonb().$type<Signals>().notNull(),
    settings: jsonb().$type<Entity['settings']>().notNull(),
    /** Counts the saves. */
    version: integer().notNull().default(1),
  },
  (table) => [primaryKey({ columns: [table.workgroup, table.id] })],
);

/** What was deleted together, as it was. */
export const entityDeletions = pgTable(
  'entity_deletions',
  {
    id: uuid().primaryKey().defaultRandom(),
    workgroup: workgroup(),
    name: text().notNull(),
    entities: jsonb().$type<(typeof entities.$inferSelect)[]>().notNull(),
    deletedAt: timestamp('deleted_at', { withTimezone: true }).notNull(),
    deletedBy: text('deleted_by').notNull(),
  },
  (table) => [index('entity_deletions_by_time').on(table.workgroup, table.deletedAt)],
);

/** What workgroups have of it. */
export const entitiesPart = [
  tablePart(entityTrees, named(entityTrees.workgroup), { workgroup: yes, version: yes }),
  tablePart(entities, named(entities.workgroup), {
    workgroup: yes,
    id: yes,
    parent: yes,
    name: yes,
    labels: yes,
    machine: yes,
    meta: yes,
    signals: yes,
    settings: yes,
    version: yes,
  }),
  tablePart(entityDeletions, named(entityDeletions.workgroup), {
    id: yes,
    workgroup: yes,
    name: yes,
    entities: yes,
    deletedAt: yes,
    deletedBy: yes,
  }),
];
