import { jsonb, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import { devices } from '../database/devices.tables.ts';
import { tablePart, under, yes } from '../database/workgroup-part.tables.ts';

/** The newest scan of each kind that a device made. */
export const deviceScans = pgTable(
  'device_scans',
  {
    deviceId: uuid('device_id')
      .notNull()
      .references(() => devices.id, { onDelete: 'cascade' }),
    kind: text().notNull(),
    at: timestamp({ withTimezone: true }).notNull().defaultNow(),
    by: text().notNull(),
    input: jsonb().$type<Record<string, unknown>>().notNull(),
    found: jsonb().$type<unknown[]>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.deviceId, table.kind] })],
);

/** What workgroups have of it. */
export const discoveryPart = [
  tablePart(deviceScans, under(deviceScans.deviceId, devices, devices.id), {
    deviceId: yes,
    kind: yes,
    at: yes,
    by: yes,
    input: yes,
    found: yes,
  }),
];
