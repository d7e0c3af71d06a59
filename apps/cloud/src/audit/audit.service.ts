import type { BatchField, BatchRow } from '@albedo/contract/link/link.messages';
import { outboxStart } from '@albedo/contract/link/link.messages';
import type { Logger } from 'pino';
import type { TelemetryBlock } from '../telemetry/telemetry.service.ts';

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

/** Where entries go: the telemetry store. */
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
const COLUMNS: Record<string, (entry: AuditEntry) => string | null | undefined> = {
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
const COLLECT_MS = 500;
const RETRY_MS = 5000;
/** Entries kept while the store cannot take them. */
const KEPT = 100_000;

/** Writes the audit log (table `audit_logs`), in blocks and without holding up who is audited. */
export class Audit {
  readonly #sink: AuditSink;
  readonly #log: Logger;
  #waiting: AuditEntry[] = [];
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<void> = Promise.resolve();
  #nextId = outboxStart(Date.now());

  constructor(sink: AuditSink, log: Logger) {
    this.#sink = sink;
    this.#log = log;
  }

  record(entry: AuditEntry): void {
    if (this.#waiting.length >= KEPT) this.#waiting.shift();
    this.#waiting.push(entry);
    this.#schedule(COLLECT_MS);
  }

  /** Writes what waits now. */
  flush(): Promise<void> {
    return this.#write();
  }

  /** Writes what waits. */
  async stop(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    await this.flush();
  }

  #schedule(delayMs: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      void this.#write();
    }, delayMs);
  }

  #write(): Promise<void> {
    this.#writing = this.#writing.then(async () => {
      const entries = this.#waiting.splice(0);
      if (entries.length === 0) return;
      try {
        await this.#sink.insert(this.#blocks(entries), `audit-${crypto.randomUUID()}`);
      } catch (err) {
        this.#log.warn({ err, entries: entries.length }, 'the audit log could not be written; trying again');
        this.#waiting.unshift(...entries);
        this.#schedule(RETRY_MS);
      }
    });
    return this.#writing;
  }

  #blocks(entries: AuditEntry[]): TelemetryBlock[] {
    const byDevice = Map.groupBy(entries, (entry) => `${entry.workgroup} ${entry.device ?? ''}`);
    return [...byDevice.values()].flatMap((of) => {
      const [first] = of;
      if (!first) return [];
      const rows = of.map(
        (entry): BatchRow => [
          this.#nextId++,
          entry.at,
          ...Object.values(COLUMNS).map((columnOf) => columnOf(entry) ?? null),
        ],
      );
      const { workgroup, device = NO_DEVICE } = first;
      return [{ workgroup, device, stream: { ...AUDIT_STREAM, fields: FIELDS }, rows }];
    });
  }
}
