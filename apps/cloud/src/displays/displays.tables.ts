import type { DisplayPage } from '@albedo/contract/displays/displays.schema';
import { index, integer, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import { named, no, tablePart, yes } from '../database/workgroup-part.tables.ts';
import { workgroups } from '../database/workgroups.tables.ts';

/** Links with which screens show dashboards; of their tokens only the hash is kept. */
export const displayLinks = pgTable(
  'display_links',
  {
    id: uuid().primaryKey().defaultRandom(),
    workgroup: text()
      .notNull()
      .references(() => workgroups.name, { onDelete: 'cascade' }),
    name: text().notNull(),
    pages: jsonb().$type<DisplayPage[]>().notNull(),
    intervalS: integer('interval_s').notNull(),
    order: text().$type<'given' | 'random'>().notNull(),
    free: jsonb().$type<('entity' | 'range')[]>().notNull(),
    networks: jsonb().$type<string[]>().notNull(),
    tokenHash: text('token_hash').notNull().unique(),
    /** On whose rights it lives. */
    makerId: uuid('maker_id').notNull(),
    madeBy: text('made_by').notNull(),
    madeAt: timestamp('made_at', { withTimezone: true }).notNull().defaultNow(),
    expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
    revokedAt: timestamp('revoked_at', { withTimezone: true }),
    seenAt: timestamp('seen_at', { withTimezone: true }),
    seenFrom: text('seen_from'),
  },
  (table) => [index('display_links_by_workgroup').on(table.workgroup, table.madeAt)],
);

/** What workgroups have of it. */
export const displaysPart = [
  tablePart(displayLinks, named(displayLinks.workgroup), {
    id: yes,
    workgroup: yes,
    name: yes,
    pages: yes,
    intervalS: yes,
    order: yes,
    free: yes,
    networks: yes,
    tokenHash: no,
    makerId: yes,
    madeBy: yes,
    madeAt: yes,
    expiresAt: yes,
    revokedAt: yes,
    seenAt: yes,
    seenFrom: yes,
  }),
];
