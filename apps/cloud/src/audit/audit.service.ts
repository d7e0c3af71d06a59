import type { BatchField, BatchRow } from '@albedo/contract/link/link.messages';
import { outboxStart } from '@albedo/contract/link/link.messages';
import type { Logger } from 'pino';
import type { TelemetryBlock } from '../telemetry/telemetry.blocks.ts';

/** One thing that happened; `by` is the e-mail of who did it, null where the system did. */
export interface AuditEntry {
  workgroup: string;
  device: string;
  at: number;
  action: string;
  controller: string;
  entity: string;
  by?: string | null;
  detail?: string;
}

/** Where entries go: the telemetry store. */
export interface AuditSink {
  insert(blocks: TelemetryBlock[], token: string): Promise<void>;
}

/** Where entries are stored. */
export const AUDIT_STREAM = { table: 'audit_logs', source: 'cloud' } as const;

const FIELDS: BatchField[] = ['action', 'controller', 'entity', 'user', 'detail'].map((name) => ({
  name,
  type: 'keyword',
}));
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

  /** Writes what waits. */
  async stop(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    await this.#write();
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
    const byDevice = Map.groupBy(entries, (entry) => `${entry.workgroup} ${entry.device}`);
    return [...byDevice.values()].flatMap((of) => {
      const [first] = of;
      if (!first) return [];
      const rows = of.map(
        (entry): BatchRow => [
          this.#nextId++,
          entry.at,
          entry.action,
          entry.controller,
          entry.entity,
          entry.by ?? null,
          entry.detail ?? null,
        ],
      );
      const { workgroup, device } = first;
      return [{ workgroup, device, stream: { ...AUDIT_STREAM, fields: FIELDS }, rows }];
    });
  }
}
