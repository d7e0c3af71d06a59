import type { ExternalRun, ExternalSource } from '@albedo/contract/external-sources/external-sources.schema';
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  serial,
  text,
  timestamp,
  unique,
  uuid,
} from 'drizzle-orm/pg-core';
import { devices } from '../database/devices.tables.ts';
import { named, no, tablePart, under, yes } from '../database/workgroup-part.tables.ts';
import { workgroups } from '../database/workgroups.tables.ts';
import type { KeptArrivals } from './arrivals.ts';
import type { MailCursor } from './mail-reader.ts';

const at = (name: string) => timestamp(name, { withTimezone: true });

export const externalSources = pgTable(
  'external_sources',
  {
    id: uuid().primaryKey().defaultRandom(),
    workgroup: text()
      .notNull()
      .references(() => workgroups.name, { onDelete: 'cascade' }),
    /** Null for a lookup table. */
    device: uuid('device_id').references(() => devices.id, { onDelete: 'cascade' }),
    /** Part of the numbers of its events. */
    serial: serial().notNull(),
    name: text().notNull(),
    kind: text().$type<ExternalSource['kind']>().notNull(),
    isEnabled: boolean('is_enabled').notNull(),
    format: text().$type<ExternalSource['format']>().notNull(),
    recordsPath: text('records_path').notNull(),
    mapping: jsonb().$type<ExternalSource['mapping']>(),
    lookup: jsonb().$type<ExternalSource['lookup']>(),
    pull: jsonb().$type<ExternalSource['pull']>(),
    sftp: jsonb().$type<ExternalSource['sftp']>(),
    mailbox: jsonb().$type<ExternalSource['mailbox']>(),
    /** How far the mailbox has been read. */
    cursor: jsonb().$type<MailCursor>(),
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

/** Files that were read, so that none is read twice. */
export const externalSourceFiles = pgTable(
  'external_source_files',
  {
    source: uuid('source_id')
      .notNull()
      .references(() => externalSources.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    bytes: bigint({ mode: 'number' }).notNull(),
    /** When it was written, epoch ms. */
    at: bigint({ mode: 'number' }),
    /** SHA-256 of its content. */
    digest: text().notNull(),
    readAt: at('read_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.source, table.name] })],
);

/** The last runs of each source. */
export const externalSourceRuns = pgTable(
  'external_source_runs',
  {
    id: uuid().primaryKey().defaultRandom(),
    source: uuid('source_id')
      .notNull()
      .references(() => externalSources.id, { onDelete: 'cascade' }),
    at: at('at').notNull(),
    tookMs: integer('took_ms').notNull(),
    by: text().$type<ExternalRun['by']>().notNull(),
    records: integer().notNull(),
    stored: integer().notNull(),
    refused: integer().notNull(),
    error: text(),
    isFailed: boolean('is_failed').notNull(),
    files: jsonb().$type<ExternalRun['files']>().notNull(),
    faults: jsonb().$type<ExternalRun['faults']>().notNull(),
  },
  (table) => [index('external_source_runs_by_source').on(table.source, table.at)],
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
    lookup: yes,
    pull: yes,
    sftp: yes,
    mailbox: yes,
    cursor: no,
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
  tablePart(externalSourceFiles, under(externalSourceFiles.source, externalSources, externalSources.id), {
    source: yes,
    name: yes,
    bytes: yes,
    at: yes,
    digest: no,
    readAt: yes,
  }),
  tablePart(externalSourceRuns, under(externalSourceRuns.source, externalSources, externalSources.id), {
    id: yes,
    source: yes,
    at: yes,
    tookMs: yes,
    by: yes,
    records: yes,
    stored: yes,
    refused: yes,
    error: yes,
    isFailed: yes,
    files: yes,
    faults: yes,
  }),
];
