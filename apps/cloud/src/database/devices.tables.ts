import type { DeviceFacts, Quarantine } from '@albedo/contract/devices/devices.schema';
import type { DeviceMeta } from '@albedo/contract/devices/meta.schema';
import type { Arch } from '@albedo/contract/workgroups/archs';
import { boolean, index, jsonb, pgTable, text, timestamp, unique, uuid } from 'drizzle-orm/pg-core';
import { named, no, tablePart, under, yes } from './workgroup-part.tables.ts';
import { workgroups } from './workgroups.tables.ts';

export const devices = pgTable(
  'devices',
  {
    id: uuid().primaryKey().defaultRandom(),
    workgroup: text()
      .notNull()
      .references(() => workgroups.name, { onDelete: 'cascade' }),
    name: text().notNull(),
    arch: text().$type<Arch>().notNull(),
    ced: boolean().notNull().default(false),
    meta: jsonb().$type<DeviceMeta>().notNull(),
    settings: jsonb().$type<Record<string, unknown>>().notNull().default({}),
    quarantine: jsonb().$type<Quarantine>(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [unique('devices_workgroup_name').on(table.workgroup, table.name)],
);

/** What was last known of a device, so that a restart does not forget it. */
export const savedFacts = pgTable('device_facts', {
  deviceId: uuid('device_id')
    .primaryKey()
    .references(() => devices.id, { onDelete: 'cascade' }),
  facts: jsonb().$type<DeviceFacts>().notNull(),
});

/** Every certificate ever issued to a device; rows outlive the device, because the revocation list needs them. */
export const certificates = pgTable(
  'device_certificates',
  {
    /** Hexadecimal, as it stands in the revocation list. */
    serial: text().primaryKey(),
    deviceId: uuid('device_id').notNull(),
    subject: text().notNull(),
    fingerprintSha256: text('fingerprint_sha256').notNull(),
    notBefore: timestamp('not_before', { withTimezone: true }).notNull(),
    notAfter: timestamp('not_after', { withTimezone: true }).notNull(),
    revokedAt: timestamp('revoked_at', { withTimezone: true }),
  },
  (table) => [index('device_certificates_device').on(table.deviceId)],
);

/** One-time tokens for agent packs; only their SHA-256 is kept. */
export const packTokens = pgTable('agent_pack_tokens', {
  tokenHash: text('token_hash').primaryKey(),
  deviceId: uuid('device_id')
    .notNull()
    .references(() => devices.id, { onDelete: 'cascade' }),
  expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
  usedAt: timestamp('used_at', { withTimezone: true }),
});

/** What workgroups have of it. */
export const savedFactsPart = [
  tablePart(savedFacts, under(savedFacts.deviceId, devices, devices.id), { deviceId: yes, facts: yes }),
];

/** What workgroups have of it. */
export const packTokensPart = [
  tablePart(packTokens, under(packTokens.deviceId, devices, devices.id), {
    tokenHash: no,
    deviceId: yes,
    expiresAt: yes,
    usedAt: yes,
  }),
];

/** What workgroups have of it. */
export const certificatesPart = [
  // The revocation list needs them.
  tablePart(
    certificates,
    under(certificates.deviceId, devices, devices.id),
    {
      serial: yes,
      deviceId: yes,
      subject: yes,
      fingerprintSha256: yes,
      notBefore: yes,
      notAfter: yes,
      revokedAt: yes,
    },
    { stays: true },
  ),
];

/** What workgroups have of it. */
export const devicesPart = [
  tablePart(devices, named(devices.workgroup), {
    id: yes,
    workgroup: yes,
    name: yes,
    arch: yes,
    ced: yes,
    meta: yes,
    settings: yes,
    quarantine: yes,
    createdAt: yes,
  }),
];
