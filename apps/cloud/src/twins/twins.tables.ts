import { pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import { devices } from '../database/devices.tables.ts';
import { tablePart, under, yes } from '../database/workgroup-part.tables.ts';

const time = (name: string) => timestamp(name, { withTimezone: true });

/** What configuration each device should have, and which one it has. */
export const deviceTwins = pgTable('device_twins', {
  deviceId: uuid('device_id')
    .primaryKey()
    .references(() => devices.id, { onDelete: 'cascade' }),
  desired: text(),
  desiredHash: text('desired_hash'),
  desiredBy: text('desired_by'),
  desiredAt: time('desired_at'),
  reported: text(),
  reportedHash: text('reported_hash'),
  reportedAt: time('reported_at'),
  differsSince: time('differs_since'),
});

/** What workgroups have of it. */
export const twinsPart = [
  tablePart(deviceTwins, under(deviceTwins.deviceId, devices, devices.id), {
    deviceId: yes,
    desired: yes,
    desiredHash: yes,
    desiredBy: yes,
    desiredAt: yes,
    reported: yes,
    reportedHash: yes,
    reportedAt: yes,
    differsSince: yes,
  }),
];
