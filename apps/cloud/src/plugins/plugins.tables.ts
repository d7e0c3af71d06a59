import type { InstalledPlugin } from '@albedo/contract/plugins/plugins.schema';
import { jsonb, pgTable, timestamp, uuid } from 'drizzle-orm/pg-core';
import { devices } from '../database/devices.tables.ts';
import { tablePart, under, yes } from '../database/workgroup-part.tables.ts';

/** The plugins of each device, as it last told. */
export const devicePlugins = pgTable('device_plugins', {
  deviceId: uuid('device_id')
    .primaryKey()
    .references(() => devices.id, { onDelete: 'cascade' }),
  plugins: jsonb().$type<InstalledPlugin[]>().notNull(),
  at: timestamp({ withTimezone: true }).notNull().defaultNow(),
});

/** What workgroups have of it. */
export const pluginsPart = [
  tablePart(devicePlugins, under(devicePlugins.deviceId, devices, devices.id), {
    deviceId: yes,
    plugins: yes,
    at: yes,
  }),
];
