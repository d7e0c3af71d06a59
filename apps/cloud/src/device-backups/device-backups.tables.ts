import type { BackupPlan, BackupReason } from '@albedo/contract/device-backups/device-backups.schema';
import type { NewDeviceCommand } from '@albedo/contract/device-commands/device-commands.schema';
import { index, integer, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import { devices } from '../database/devices.tables.ts';
import { named, no, tablePart, under, yes } from '../database/workgroup-part.tables.ts';
import { workgroups } from '../database/workgroups.tables.ts';

/** Backups of devices. They outlive their device: another one may take its place. */
export const deviceBackups = pgTable(
  'device_backups',
  {
    id: uuid().primaryKey().defaultRandom(),
    workgroup: text()
      .notNull()
      .references(() => workgroups.name, { onDelete: 'cascade' }),
    deviceId: uuid('device_id').notNull(),
    deviceName: text('device_name').notNull(),
    at: timestamp({ withTimezone: true }).notNull().defaultNow(),
    by: text(),
    reason: text().$type<BackupReason>().notNull(),
    bytes: integer().notNull(),
    hash: text().notNull(),
    files: integer().notNull(),
    /** Saved commands of the device. */
    commands: jsonb().$type<NewDeviceCommand[]>().notNull(),
    /** Where its bytes lie. */
    fileKey: text('file_key').notNull(),
  },
  (table) => [index('device_backups_of_device').on(table.workgroup, table.deviceId, table.at)],
);

/** How often backups are made; without a row never. */
export const deviceBackupPlans = pgTable('device_backup_plans', {
  deviceId: uuid('device_id')
    .primaryKey()
    .references(() => devices.id, { onDelete: 'cascade' }),
  every: text().$type<BackupPlan['every']>().notNull(),
});

/** What workgroups have of it. */
export const deviceBackupsPart = [
  tablePart(deviceBackups, named(deviceBackups.workgroup), {
    id: yes,
    workgroup: yes,
    deviceId: yes,
    deviceName: yes,
    at: yes,
    by: yes,
    reason: yes,
    bytes: yes,
    hash: yes,
    files: yes,
    commands: yes,
    fileKey: no,
  }),
  tablePart(deviceBackupPlans, under(deviceBackupPlans.deviceId, devices, devices.id), {
    deviceId: yes,
    every: yes,
  }),
];
