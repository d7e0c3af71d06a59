import { createHash } from 'node:crypto';
import { AppError } from '../errors/app-error.ts';
import type { Telemetry } from '../telemetry/telemetry.service.ts';
import { AUDIT_STREAM, type CopiedRow, rowOf, storedRowOf } from './audit.service.ts';
import type { AuditStore } from './audit.store.ts';

/** How the searchable copy of one chain fares, by numbers of entries. */
export interface CopyReport {
  workgroup: string;
  /** There are rows of a workgroup that has no chain. */
  isForeign: boolean;
  /** Rows that say something else than the chain. */
  changed: number[];
  /** Entries that have no row. */
  missing: number[];
  /** Rows without an entry. */
  extra: number[];
}

/** SHA-256 of all that a row says, half of it: of some million entries at once. */
const digestOf = (row: CopiedRow): string =>
  createHash('sha256').update(JSON.stringify(row)).digest('base64').slice(0, 22);

/**
 * Compares what the telemetry store shows as the audit log with the chains in the records, row by row: also of workgroups
 * that have rows and no chain. What is written meanwhile is neither missing nor extra.
 */
export async function* verifyCopies(store: AuditStore, telemetry: Telemetry): AsyncGenerator<CopyReport> {
  const known = new Set(await store.workgroups());
  const stored = await telemetry.asSystem('audit').workgroupsOf(AUDIT_STREAM.table);
  for (const workgroup of [...known].sort()) yield await verifyCopy(store, telemetry, workgroup);
  for (const workgroup of stored.filter((name) => !known.has(name)).sort())
    yield { workgroup, isForeign: true, changed: [], missing: [], extra: [] };
}

async function verifyCopy(store: AuditStore, telemetry: Telemetry, workgroup: string): Promise<CopyReport> {
  const expected = await digestsOf(store, workgroup, 0);
  const last = [...expected.keys()].at(-1) ?? 0;
  // After the entries and before the rows: what does not wait now has its row when the rows are read.
  const waiting = await store.waitingOf(workgroup);
  const report: CopyReport = { workgroup, isForeign: false, changed: [], missing: [], extra: [] };
  const later: CopiedRow[] = [];
  const compare = (row: CopiedRow) => {
    const digest = expected.get(row.msgId);
    // A second row with its number is extra too.
    expected.delete(row.msgId);
    if (digest === undefined) report.extra.push(row.msgId);
    else if (digest !== digestOf(row)) report.changed.push(row.msgId);
  };
  for await (const records of rowsOf(telemetry, workgroup))
    for (const row of records.map(storedRowOf)) {
      if (row.msgId > last) later.push(row);
      else compare(row);
    }
  report.missing = [...expected.keys()].filter((seq) => !waiting.has(seq));
  expected.clear();
  for (const [seq, digest] of await digestsOf(store, workgroup, last)) expected.set(seq, digest);
  for (const row of later) compare(row);
  return report;
}

async function digestsOf(store: AuditStore, workgroup: string, after: number): Promise<Map<number, string>> {
  const digests = new Map<number, string>();
  for await (const links of store.links(workgroup, { after }))
    for (const link of links) digests.set(link.seq, digestOf(rowOf(link)));
  return digests;
}

async function* rowsOf(
  telemetry: Telemetry,
  workgroup: string,
): AsyncGenerator<Record<string, string | number | null>[]> {
  try {
    yield* telemetry.asSystem('audit', workgroup).everything(AUDIT_STREAM.table);
  } catch (error) {
    // Nothing was copied yet.
    if (!(error instanceof AppError && error.error === 'table.not_found')) throw error;
  }
}
