import type { CLOUD_DEVICE_STATES } from '@albedo/contract/cloud-devices/cloud-devices.schema';
import { boolean, integer, jsonb, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import { devices } from '../database/devices.tables.ts';
import { named, no, tablePart, under, yes } from '../database/workgroup-part.tables.ts';
import { workgroups } from '../database/workgroups.tables.ts';

const instant = (name: string) => timestamp(name, { withTimezone: true });

/** Devices whose agents run in the cloud. */
export const cloudDevices = pgTable('cloud_devices', {
  deviceId: uuid('device_id')
    .primaryKey()
    .references(() => devices.id, { onDelete: 'cascade' }),
  cloud: text().notNull(),
  isWanted: boolean('is_wanted').notNull(),
  state: text().$type<(typeof CLOUD_DEVICE_STATES)[number]>().notNull().default('stopped'),
  since: instant('since').notNull().defaultNow(),
  restarts: integer().notNull().default(0),
  lastEnd: text('last_end'),
  memoryMb: integer('memory_mb'),
  diskMb: integer('disk_mb'),
  /** The process of the cloud that runs it, and until when it may believe so. */
  keeper: uuid(),
  keptUntil: instant('kept_until'),
});

/** Files and variables of their network settings, sealed. */
export const cloudDeviceSecrets = pgTable(
  'cloud_device_secrets',
  {
    deviceId: uuid('device_id')
      .notNull()
      .references(() => cloudDevices.deviceId, { onDelete: 'cascade' }),
    kind: text().$type<'file' | 'variable'>().notNull(),
    name: text().notNull(),
    sealed: text().notNull(),
    bytes: integer().notNull(),
    changedAt: instant('changed_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.deviceId, table.kind, table.name] })],
);

/** The way of a workgroup's cloud devices to machines in the internet. */
export const natGateways = pgTable('nat_gateways', {
  workgroup: text()
    .primaryKey()
    .references(() => workgroups.name, { onDelete: 'cascade' }),
  cloud: text().notNull(),
  allow: jsonb().$type<string[]>().notNull(),
  byEmail: text('by_email').notNull(),
  createdAt: instant('created_at').notNull().defaultNow(),
});

/** What workgroups have of it. */
export const cloudDevicesPart = [
  tablePart(natGateways, named(natGateways.workgroup), {
    workgroup: yes,
    cloud: yes,
    allow: yes,
    byEmail: yes,
    createdAt: yes,
  }),
  tablePart(cloudDevices, under(cloudDevices.deviceId, devices, devices.id), {
    deviceId: yes,
    cloud: yes,
    isWanted: yes,
    state: yes,
    since: yes,
    restarts: yes,
    lastEnd: yes,
    memoryMb: yes,
    diskMb: yes,
    keeper: no,
    keptUntil: no,
  }),
  tablePart(cloudDeviceSecrets, under(cloudDeviceSecrets.deviceId, devices, devices.id), {
    deviceId: yes,
    kind: yes,
    name: yes,
    sealed: no,
    bytes: yes,
    changedAt: yes,
  }),
];
