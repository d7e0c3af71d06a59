import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { BatchField, BatchRow } from '@albedo/contract/link/link.messages';
import { storableJson } from '@albedo/postgres/storable';
import { whenHeld, writtenLast } from '@albedo/postgres/together';
import type { Logger } from 'pino';
import { AppError } from '../errors/app-error.ts';
import type { TelemetryBlock } from '../telemetry/telemetry.service.ts';
import type { AuditStore, NewEntry, WrittenEntry } from './audit.store.ts';

/** One thing that happened. Secrets never stand in it. */
export interface AuditEntry {
  /** `PROVIDER_LOG` for what concerns none. */
  workgroup: string;
  /** UUID; left out for what concerns no device. */
  device?: string;
  at: number;
  /** The component that applied the change. */
  controller: string;
  /** Identifier or name of the thing acted on. */
  entity: string;
  action: string;
  attribute?: string;
  oldValue?: string | null;
  newValue?: string | null;
  /** E-mail of who did it; null where the system did. */
  by?: string | null;
  /** Client address it came from. */
  address?: string;
  /** Success unless told otherwise. */
  status?: 'success' | 'failed';
}

/** Where people search entries: the telemetry store. */
export interface AuditSink {
  insert(blocks: TelemetryBlock[], token: string): Promise<void>;
}

/** Where entries are stored. */
export const AUDIT_STREAM = { table: 'audit_logs', source: 'cloud' } as const;

/**
 * Stands for a workgroup in entries that concern none: accounts without a workgroup, requests for workgroups, what the
 * staff does. No workgroup can have the name, so nobody is a member of it; the staff alone reads it.
 */
export const PROVIDER_LOG = '_provider';

/** Columns of the table, each with where its value comes from. */
const COLUMNS: Record<string, (entry: Omit<AuditEntry, 'workgroup' | 'at'>) => string | null | undefined> = {
  controller: (entry) => entry.controller,
  entity: (entry) => entry.entity,
  action: (entry) => entry.action,
  attribute: (entry) => entry.attribute,
  old_value: (entry) => entry.oldValue,
  new_value: (entry) => entry.newValue,
  user_id: (entry) => entry.by,
  address: (entry) => entry.address,
  status: (entry) => entry.status ?? 'success',
};
const FIELDS: BatchField[] = Object.keys(COLUMNS).map((name) => ({ name, type: 'keyword' }));
/** Stands for the device of entries that concern none. */
export const NO_DEVICE = '00000000-0000-0000-0000-000000000000';
const RETRY_MS = [50, 200, 1000, 5000] as const;
/** An action whose entry cannot be written for so long fails, ms. */
const ANSWER_MS = 8000;
/** Entries kept while the records cannot take them. */
const KEPT = 100_000;
/** Entries of one block of the searchable copy. */
const COPIED = 2000;
/** What is written within this goes into the copy together, ms. Whoever reads the log does not wait for it. */
const COPY_MS = 200;

interface Batch {
  entries: NewEntry[];
  /** Resolves when they are durable. */
  written: Promise<void>;
}

/**
 * The audit log. Entries are chained by hashes in the records (`audit.chain.ts`), durably before the action that they
 * tell of is answered, and copied from there into the telemetry store (table `audit_logs`), where people search them.
 * The copy may lag; the records are the truth.
 */
export class Audit {
  readonly #store: AuditStore;
  readonly #sink: AuditSink;
  readonly #log: Logger;
  readonly #calls = new AsyncLocalStorage<{ written: Promise<void> | null }>();
  readonly #stopping = new AbortController();
  #next: Batch | null = null;
  #written: Promise<void> = Promise.resolve();
  #copying: Promise<void> | null = null;
  #hasMore = true;
  #soon: NodeJS.Timeout | null = null;
  #retry: NodeJS.Timeout | null = null;

  constructor(of: { store: AuditStore; sink: AuditSink; log: Logger }) {
    this.#store = of.store;
    this.#sink = of.sink;
    this.#log = of.log;
  }

  /** Writes the entry soon, inside `settled` before that ends, and inside a transaction that spans features with it. */
  record({ workgroup, at, ...rest }: AuditEntry): void {
    const entry = { workgroup, at, body: bodyOf({ workgroup, at, ...rest }) };
    const isWithin = writtenLast(this, entry, (entries) => this.#store.append(entries));
    if (isWithin) whenHeld(() => this.#hasWritten());
    else this.#record(entry);
  }

  #record(entry: NewEntry): void {
    this.#next ??= this.#begin();
    if (this.#next.entries.length >= KEPT) this.#next.entries.shift();
    this.#next.entries.push(entry);
    const call = this.#calls.getStore();
    if (call) call.written = this.#next.written;
  }

  /** Runs the task; what it recorded is durable when it ends. Throws `server.failed` when that cannot be done. */
  async settled<T>(task: () => T | Promise<T>): Promise<T> {
    const call: { written: Promise<void> | null } = { written: null };
    try {
      return await this.#calls.run(call, task);
    } finally {
      if (call.written) await this.#durable(call.written);
    }
  }

  /** Waits until what was recorded until now is durable, and can be searched. */
  async flush(): Promise<void> {
    await this.#next?.written;
    await this.#written;
    await this.#copy();
    if (this.#hasMore) await this.#copy();
  }

  /** Copies what an earlier process left. */
  start(): void {
    void this.#copy();
  }

  /** Writes what waits. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    for (const timer of [this.#soon, this.#retry]) if (timer) clearTimeout(timer);
    await this.flush().catch(() => {});
  }

  async #durable(written: Promise<void>): Promise<void> {
    const late = new AbortController();
    const tooLate = wait(ANSWER_MS, 'late', { signal: late.signal, ref: false }).catch(() => null);
    const result = await Promise.race([written.then(() => null), tooLate]);
    late.abort();
    if (result === 'late') throw new AppError('server.failed');
  }

  /** A batch takes entries until the one before it is written. */
  #begin(): Batch {
    const batch: Batch = { entries: [], written: Promise.resolve() };
    batch.written = this.#written.then(async () => {
      // What is recorded in the same turn goes with it.
      await new Promise((resolve) => setImmediate(resolve));
      this.#next = null;
      await this.#write(batch.entries);
    });
    this.#written = batch.written.catch(() => {});
    batch.written.catch(() => {});
    return batch;
  }

  async #write(entries: NewEntry[]): Promise<void> {
    for (let tries = 0; ; tries++) {
      try {
        await this.#store.append(entries);
        this.#hasWritten();
        return;
      } catch (err) {
        this.#log.error({ err, entries: entries.length }, 'the audit log could not be written');
        if (this.#stopping.signal.aborted) throw err;
        const delayMs = RETRY_MS[Math.min(tries, RETRY_MS.length - 1)];
        await wait(delayMs, undefined, { signal: this.#stopping.signal }).catch(() => {});
      }
    }
  }

  #hasWritten(): void {
    this.#hasMore = true;
    this.#copySoon();
  }

  #copySoon(): void {
    if (this.#stopping.signal.aborted) return;
    this.#soon ??= setTimeout(() => {
      this.#soon = null;
      void this.#copy();
    }, COPY_MS);
    this.#soon.unref();
  }

  /** Copies what the telemetry store has not got. One copy at a time; failed ones are begun again. */
  #copy(): Promise<void> {
    this.#copying ??= this.#copyAll()
      .catch((err) => {
        this.#log.warn({ err }, 'the audit log could not be made searchable; trying again');
        if (this.#stopping.signal.aborted) return;
        this.#retry = setTimeout(() => void this.#copy(), RETRY_MS.at(-1));
        this.#retry.unref();
      })
      .finally(() => {
        this.#copying = null;
      });
    return this.#copying;
  }

  async #copyAll(): Promise<void> {
    while (this.#hasMore) {
      this.#hasMore = false;
      const entries = await this.#store.waiting(COPIED);
      if (entries.length === 0) return;
      this.#hasMore = true;
      const names = entries.map(({ workgroup, seq }) => `${workgroup} ${seq}`).join();
      const token = createHash('sha256').update(names).digest('hex');
      await this.#sink.insert(blocksOf(entries), `audit-${token}`);
      await this.#store.copied(entries);
    }
  }
}

/** What the telemetry store has of an entry; the same for both sides of a comparison. */
export interface CopiedRow {
  msgId: number;
  at: number;
  device: string;
  source: string;
  columns: (string | null)[];
}

/** The row that an entry becomes. */
export function rowOf({ seq, at, body }: Pick<WrittenEntry, 'seq' | 'at' | 'body'>): CopiedRow {
  const entry = readBody(body);
  const columns = Object.values(COLUMNS).map((columnOf) => columnOf(entry) ?? null);
  return { msgId: seq, at, device: entry.device ?? NO_DEVICE, source: AUDIT_STREAM.source, columns };
}

/** The row as the telemetry store gives it back. */
export const storedRowOf = (record: Record<string, string | number | null>): CopiedRow => ({
  msgId: Number(record.msg_id),
  at: Date.parse(String(record.event_time)),
  device: String(record.device),
  source: String(record.source),
  columns: Object.keys(COLUMNS).map((name) => (record[name] === undefined ? null : (record[name] as string))),
});

/** The entry as it is kept: what is empty is left out. */
function bodyOf({ workgroup: _, ...entry }: AuditEntry): string {
  const kept = Object.entries({ ...entry, status: entry.status ?? 'success' }).filter(
    ([, value]) => value !== null,
  );
  return storableJson(Object.fromEntries(kept));
}

/** What cannot be read is shown as it is, and keeps nothing else from being searched. */
function readBody(body: string): Omit<AuditEntry, 'workgroup' | 'at'> {
  try {
    return JSON.parse(body) as AuditEntry;
  } catch {
    return { controller: 'audit', entity: 'entry', action: 'unreadable', newValue: body };
  }
}

function blocksOf(entries: readonly WrittenEntry[]): TelemetryBlock[] {
  const read = entries.map((entry) => ({ workgroup: entry.workgroup, row: rowOf(entry) }));
  const byDevice = Map.groupBy(read, ({ workgroup, row }) => `${workgroup} ${row.device}`);
  return [...byDevice.values()].flatMap((of) => {
    const [first] = of;
    if (!first) return [];
    const rows = of.map(({ row }): BatchRow => [row.msgId, row.at, ...row.columns]);
    const { workgroup, row } = first;
    return [{ workgroup, device: row.device, stream: { ...AUDIT_STREAM, fields: FIELDS }, rows }];
  });
}
