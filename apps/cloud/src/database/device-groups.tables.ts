import type { Composition } from '@albedo/contract/device-groups/device-groups.schema';
import { jsonb, pgTable, text, timestamp, unique, uuid } from 'drizzle-orm/pg-core';
import { named, tablePart, yes } from './workgroup-part.tables.ts';
import { workgroups } from './workgroups.tables.ts';

export const deviceGroups = pgTable(
  'device_groups',
  {
    id: uuid().primaryKey().defaultRandom(),
    workgroup: text()
      .notNull()
      .references(() => workgroups.name, { onDelete: 'cascade' }),
    name: text().notNull(),
    composition: jsonb().$type<Composition>().notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [unique('device_groups_workgroup_name').on(table.workgroup, table.name)],
);

/** What workgroups have of it. */
export const deviceGroupsPart = [
  tablePart(deviceGroups, named(deviceGroups.workgroup), {
    id: yes,
    workgroup: yes,
    name: yes,
    composition: yes,
    createdAt: yes,
  }),
];
