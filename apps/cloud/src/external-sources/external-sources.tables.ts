import type { ExternalSource } from '@albedo/contract/external-sources/external-sources.schema';
import { boolean, integer, jsonb, pgTable, serial, text, timestamp, unique, uuid } from 'drizzle-orm/pg-core';
import { devices } from '../database/devices.tables.ts';
import { named, no, tablePart, yes } from '../database/workgroup-part.tables.ts';
import { workgroups } from '../database/workgroups.tables.ts';
import type { KeptArrivals } from './arrivals.ts';

const at = (name: string) => timestamp(name, { withTimezone: true });

export const externalSources = pgTable(
  'external_sources',
  {
    id: uuid().primaryKey().defaultRandom(),
    workgroup: text()
      .notNull()
      .references(() => workgroups.name, { onDelete: 'cascade' }),
    device: uuid('device_id')
      .notNull()
      .references(() => devices.id, { onDelete: 'cascade' }),
    /** Part of the numbers of its events. */
    serial: serial().notNull(),
    name: text().notNull(),
    kind: text().$type<ExternalSource['kind']>().notNull(),
    isEnabled: boolean('is_enabled').notNull(),
    format: text().$type<ExternalSource['format']>().notNull(),
    recordsPath: text('records_path').notNull(),
    mapping: jsonb().$type<ExternalSource['mapping']>().notNull(),
    pull: jsonb().$type<ExternalSource['pull']>(),
    subscription: jsonb().$type<ExternalSource['subscription']>(),
    /** Counts the changes that people make. */
    revision: integer().notNull().default(1),
    /** The process that follows the broker, and until when nobody else does. */
    leaseBy: text('lease_by'),
    leaseUntil: at('lease_until'),
    connection: jsonb().$type<ExternalSource['connection']>(),
    /** Of messages that have no other time, as long as the broker may bring them again. */
    arrivals: jsonb().$type<KeptArrivals>(),
    /** Sealed. */
    secret: text(),
    /** Of what is pushed, SHA-256. */
    tokenHash: text('token_hash'),
    lastRunAt: at('last_run_at'),
    lastOkAt: at('last_ok_at'),
    lastError: text('last_error'),
    lastEvents: integer('last_events'),
    /** Runs that failed one after the other. */
    failures: integer().notNull().default(0),
    newestAt: at('newest_at'),
    nextAt: at('next_at'),
  },
  (table) => [unique('external_sources_by_name').on(table.workgroup, table.name)],
);

/** What workgroups have of it. */
export const externalSourcesPart = [
  tablePart(externalSources, named(externalSources.workgroup), {
    id: yes,
    workgroup: yes,
    device: yes,
    serial: no,
    name: yes,
    kind: yes,
    isEnabled: yes,
    format: yes,
    recordsPath: yes,
    mapping: yes,
    pull: yes,
    subscription: yes,
    revision: no,
    leaseBy: no,
    leaseUntil: no,
    connection: no,
    arrivals: no,
    secret: no,
    tokenHash: no,
    lastRunAt: yes,
    lastOkAt: yes,
    lastError: yes,
    lastEvents: yes,
    failures: no,
    newestAt: yes,
    nextAt: no,
  }),
];
