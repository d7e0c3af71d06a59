import type { Board } from '@albedo/contract/boards/boards.schema';
import type { LibraryItem } from '@albedo/contract/boards/widget-library.schema';
import { index, integer, jsonb, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import { named, tablePart, yes } from '../database/workgroup-part.tables.ts';
import { workgroups } from '../database/workgroups.tables.ts';

/** Dashboards of entities and labels. Clients may choose the id, so it counts within its workgroup. */
export const entityDashboards = pgTable(
  'entity_dashboards',
  {
    id: uuid().notNull().defaultRandom(),
    workgroup: text()
      .notNull()
      .references(() => workgroups.name, { onDelete: 'cascade' }),
    type: text().$type<'entity' | 'label'>().notNull(),
    /** Id of an entity, or of a label among the settings of the workgroup. */
    typeId: text('type_id').notNull(),
    name: text().notNull(),
    board: jsonb().$type<Board>().notNull(),
    /** Counts up with every save. */
    version: integer().notNull().default(1),
    updatedBy: text('updated_by').notNull(),
    updatedAt: timestamp('updated_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.workgroup, table.id] }),
    index('entity_dashboards_by_type').on(table.workgroup, table.type, table.typeId),
  ],
);

/** Widgets that several dashboards show. */
export const libraryWidgets = pgTable(
  'library_widgets',
  {
    id: uuid().notNull().defaultRandom(),
    workgroup: text()
      .notNull()
      .references(() => workgroups.name, { onDelete: 'cascade' }),
    name: text().notNull(),
    item: jsonb().$type<LibraryItem>().notNull(),
    /** Counts up with every save. */
    version: integer().notNull().default(1),
    updatedBy: text('updated_by').notNull(),
    updatedAt: timestamp('updated_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.workgroup, table.id] })],
);

/** What workgroups have of it. */
export const boardsPart = [
  tablePart(entityDashboards, named(entityDashboards.workgroup), {
    id: yes,
    workgroup: yes,
    type: yes,
    typeId: yes,
    name: yes,
    board: yes,
    version: yes,
    updatedBy: yes,
    updatedAt: yes,
  }),
  tablePart(libraryWidgets, named(libraryWidgets.workgroup), {
    id: yes,
    workgroup: yes,
    name: yes,
    item: yes,
    version: yes,
    updatedBy: yes,
    updatedAt: yes,
  }),
];
