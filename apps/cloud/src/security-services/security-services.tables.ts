import type {
  FindingState,
  SecurityJobState,
  SecurityScan,
  SecurityTask,
} from '@albedo/contract/security-services/security-services.schema';
import {
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
  uuid,
} from 'drizzle-orm/pg-core';
import { devices } from '../database/devices.tables.ts';
import { named, tablePart, under, yes } from '../database/workgroup-part.tables.ts';
import { workgroups } from '../database/workgroups.tables.ts';

const time = (name: string) => timestamp(name, { withTimezone: true });

/** The scans of one kind at one device. */
export const securityJobs = pgTable(
  'security_jobs',
  {
    id: uuid().primaryKey().defaultRandom(),
    workgroup: text()
      .notNull()
      .references(() => workgroups.name, { onDelete: 'cascade', onUpdate: 'cascade' }),
    deviceId: uuid('device_id')
      .notNull()
      .references(() => devices.id, { onDelete: 'cascade' }),
    task: text().$type<SecurityTask>().notNull(),
    enabled: boolean().notNull(),
    state: text().$type<SecurityJobState>().notNull().default('idle'),
    stateAt: time('state_at').notNull().defaultNow(),
    /** Who asked for the scan that waits or runs; null for the weekly one. */
    by: text(),
    lastScan: jsonb('last_scan').$type<SecurityScan>(),
    unaccepted: integer().notNull().default(0),
  },
  (table) => [
    unique('security_jobs_once').on(table.deviceId, table.task),
    index('security_jobs_of_workgroup').on(table.workgroup, table.task),
  ],
);

/** Scans that are over. */
export const securityScans = pgTable(
  'security_scans',
  {
    id: uuid().primaryKey(),
    jobId: uuid('job_id')
      .notNull()
      .references(() => securityJobs.id, { onDelete: 'cascade' }),
    endedAt: time('ended_at').notNull(),
    scan: jsonb().$type<SecurityScan>().notNull(),
  },
  (table) => [index('security_scans_by_time').on(table.jobId, table.endedAt)],
);

/** What was found, as it is since the newest scan. */
export const securityFindings = pgTable(
  'security_findings',
  {
    jobId: uuid('job_id')
      .notNull()
      .references(() => securityJobs.id, { onDelete: 'cascade' }),
    /** The MAC address of a host, or the number of a port. */
    key: text().notNull(),
    state: text().$type<FindingState>().notNull(),
    description: text().notNull(),
    addresses: jsonb().$type<string[]>().notNull(),
    before: jsonb().$type<string[]>(),
    knownSince: time('known_since').notNull(),
    lastSeenAt: time('last_seen_at').notNull(),
    goneAt: time('gone_at'),
    acceptedNote: text('accepted_note'),
    acceptedBy: text('accepted_by'),
    acceptedAt: time('accepted_at'),
  },
  (table) => [primaryKey({ columns: [table.jobId, table.key] })],
);

export const securityServicesPart = [
  tablePart(securityJobs, named(securityJobs.workgroup), {
    id: yes,
    workgroup: yes,
    deviceId: yes,
    task: yes,
    enabled: yes,
    state: yes,
    stateAt: yes,
    by: yes,
    lastScan: yes,
    unaccepted: yes,
  }),
  tablePart(securityScans, under(securityScans.jobId, securityJobs, securityJobs.id), {
    id: yes,
    jobId: yes,
    endedAt: yes,
    scan: yes,
  }),
  tablePart(securityFindings, under(securityFindings.jobId, securityJobs, securityJobs.id), {
    jobId: yes,
    key: yes,
    state: yes,
    description: yes,
    addresses: yes,
    before: yes,
    knownSince: yes,
    lastSeenAt: yes,
    goneAt: yes,
    acceptedNote: yes,
    acceptedBy: yes,
    acceptedAt: yes,
  }),
];
