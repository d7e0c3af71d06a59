import { bigint, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { named, no, tablePart, yes } from '../database/workgroup-part.tables.ts';

/**
 * Entries of the audit log as they were written, each with the hash of itself and of the one before it. A trigger of
 * the database refuses every change of a row; rows leave with their workgroup alone.
 */
export const auditEntries = pgTable(
  'audit_entries',
  {
    /** `PROVIDER_LOG` for what concerns none. */
    workgroup: text().notNull(),
    /** 1, 2, 3 in each workgroup. */
    seq: bigint({ mode: 'number' }).notNull(),
    /** Epoch ms. */
    at: bigint({ mode: 'number' }).notNull(),
    /** The entry as JSON, byte for byte what the hash is of. */
    body: text().notNull(),
    /** SHA-256, hex. */
    hash: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.workgroup, table.seq] })],
);

/** The newest link of each chain: whoever writes the next one locks its row. */
export const auditChains = pgTable('audit_chains', {
  workgroup: text().primaryKey(),
  seq: bigint({ mode: 'number' }).notNull(),
  hash: text().notNull(),
});

/** Entries that the telemetry store, which searches them, has not got yet. */
export const auditWaiting = pgTable(
  'audit_waiting',
  { workgroup: text().notNull(), seq: bigint({ mode: 'number' }).notNull() },
  (table) => [primaryKey({ columns: [table.workgroup, table.seq] })],
);

/** What workgroups have of it. */
export const auditPart = [
  tablePart(auditEntries, named(auditEntries.workgroup), {
    workgroup: yes,
    seq: yes,
    at: yes,
    body: yes,
    hash: yes,
  }),
  tablePart(auditChains, named(auditChains.workgroup), { workgroup: yes, seq: yes, hash: yes }),
  tablePart(auditWaiting, named(auditWaiting.workgroup), { workgroup: no, seq: no }),
];
