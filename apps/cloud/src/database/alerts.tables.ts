import type { NewAlert, NewSuppression } from '@albedo/contract/alerts/alerts.schema';
import { sql } from 'drizzle-orm';
import { integer, jsonb, pgTable, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { named, tablePart, yes } from './workgroup-part.tables.ts';
import { workgroups } from './workgroups.tables.ts';

const ofWorkgroup = () =>
  text()
    .notNull()
    .references(() => workgroups.name, { onDelete: 'cascade' });

export const alerts = pgTable(
  'alerts',
  {
    id: uuid().primaryKey().defaultRandom(),
    workgroup: ofWorkgroup(),
    name: text().notNull(),
    content: jsonb().$type<NewAlert>().notNull(),
    /** Counts the saves. */
    version: integer().notNull().default(1),
    /** Which of those that come with the product. */
    shipped: text(),
    updatedAt: timestamp('updated_at', { withTimezone: true }).notNull().defaultNow(),
    /** Its incidents still name it, and a shipped one that somebody deleted does not come again. */
    deletedAt: timestamp('deleted_at', { withTimezone: true }),
  },
  (table) => [
    uniqueIndex('alerts_by_name').on(table.workgroup, table.name).where(sql`${table.deletedAt} is null`),
    uniqueIndex('alerts_shipped').on(table.workgroup, table.shipped),
  ],
);

export const suppressions = pgTable('alert_suppressions', {
  id: uuid().primaryKey().defaultRandom(),
  workgroup: ofWorkgroup(),
  name: text().notNull(),
  content: jsonb().$type<NewSuppression>().notNull(),
  createdBy: text('created_by').notNull(),
  /** So that ending it again, after an answer that was lost, changes nothing. */
  deletedAt: timestamp('deleted_at', { withTimezone: true }),
});

/** What workgroups have of it. */
export const alertsPart = [
  tablePart(alerts, named(alerts.workgroup), {
    id: yes,
    workgroup: yes,
    name: yes,
    content: yes,
    version: yes,
    shipped: yes,
    updatedAt: yes,
    deletedAt: yes,
  }),
  tablePart(suppressions, named(suppressions.workgroup), {
    id: yes,
    workgroup: yes,
    name: yes,
    content: yes,
    createdBy: yes,
    deletedAt: yes,
  }),
];
