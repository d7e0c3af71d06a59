import type { Completeness, Quarantined } from '@albedo/contract/completeness/completeness.schema';
import type { DeclaredGap, StatusMessage } from '@albedo/contract/link/link.messages';
import type { Postgres } from '@albedo/postgres/postgres';
import type { Logger } from 'pino';
import { CompletenessStore, type SetAside } from './completeness.store.ts';
import { DeviceLedger, type StoredStream } from './device-ledger.ts';
import { type Range, rangesOf } from './interval-set.ts';

export type { SetAside } from './completeness.store.ts';

/** Events of one stream that the telemetry store has; `msgIds` in any order. Times are epoch ms. */
export interface StoredRun {
  device: string;
  table: string;
  source: string;
  msgIds: number[];
  firstEventAt: number;
  lastEventAt: number;
}

/** Where the ledger learns what became durable after its last checkpoint. */
export interface StoredEvents {
  /** Everything whose `store_time` is this instant (epoch ms) or later; runs of one stream may come in pieces. */
  storedSince(since: number): AsyncIterable<StoredRun>;
}

export interface LedgerOptions {
  postgres: Postgres;
  telemetry: StoredEvents;
  log: Logger;
  /** ms between two checkpoints. */
  checkpointMs?: number;
  /** In a process that takes nothing in: it only reads what the others saved. */
  isReader?: boolean;
}

/** Store times and our clock may differ by this much; asking for too much costs only time. */
const MARGIN_MS = 60_000;
const QUARANTINE_TOLD = 100;
/** Numbers kept with one message that was set aside; the gap has all of them. */
const IDS_KEPT = 200;

/**
 * The completeness ledger: which events of each device are stored, and why the others are not.
 *
 * Rules: the ledger counts events as stored only after they are durable. It lives in memory and is saved every
 * few seconds; `start` reads the last checkpoint and completes it from the telemetry store, so a crash between an
 * insert and a checkpoint changes nothing. What cannot be read back from there (gaps, what was set aside) is saved by
 * `checkpoint` before it is acknowledged.
 */
export class Ledger {
  readonly #options: LedgerOptions;
  readonly #store: CompletenessStore;
  readonly #devices = new Map<string, DeviceLedger>();
  readonly #dirty = new Set<string>();
  #setAside: SetAside[] = [];
  #insertingSince: number | null = null;
  #timer: NodeJS.Timeout | null = null;
  #saving: Promise<void> = Promise.resolve();

  constructor(options: LedgerOptions) {
    this.#options = options;
    this.#store = new CompletenessStore(options.postgres);
  }

  async start(): Promise<void> {
    if (this.#options.isReader) return;
    const { savedAt, states, gaps } = await this.#store.load();
    for (const [id, state] of states) this.device(id).restore(state, gaps.get(id) ?? []);
    let events = 0;
    for await (const run of this.#options.telemetry.storedSince(Math.max(0, savedAt - MARGIN_MS))) {
      events += this.#complete(run);
    }
    if (events > 0) this.#options.log.info({ events }, 'the ledger caught up with the telemetry store');
    this.#timer = setInterval(() => {
      this.checkpoint().catch((err) => this.#options.log.error({ err }, 'the ledger could not be saved'));
    }, this.#options.checkpointMs ?? 5000);
  }

  /** Saves what is left. */
  async stop(): Promise<void> {
    this.abandon();
    await this.checkpoint();
  }

  /** Ends without saving, as a kill would. */
  abandon(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
  }

  /** The ledger of a device; an empty one when nothing is known of it. Whoever changes it calls `touch`. */
  device(id: string): DeviceLedger {
    let device = this.#devices.get(id);
    if (!device) {
      device = new DeviceLedger();
      this.#devices.set(id, device);
    }
    return device;
  }

  noteStatus(device: string, status: StatusMessage): void {
    this.device(device).noteStatus(status, Date.now());
    this.#dirty.add(device);
  }

  noteStored(device: string, ranges: readonly Range[], streams: readonly StoredStream[]): void {
    this.device(device).noteStored(ranges, streams);
    this.#dirty.add(device);
  }

  noteGaps(device: string, gaps: readonly DeclaredGap[]): void {
    for (const gap of gaps) this.device(device).noteGap(gap, Date.now());
    this.#dirty.add(device);
  }

  /** Keeps a message that cannot be stored; its numbers count as dealt with. Saved by the next checkpoint. */
  setAside(message: SetAside, stream: { table: string; source: string }): void {
    const { device, msgIds, receivedAt } = message;
    const ranges = rangesOf([...msgIds]);
    const fresh = this.device(device).noteSetAside(stream.table, stream.source, ranges, receivedAt);
    // A repeat was kept the first time.
    if (msgIds.length > 0 && fresh === 0) return;
    this.#setAside.push({ ...message, msgIds: msgIds.slice(0, IDS_KEPT) });
    this.#dirty.add(device);
  }

  /** Keeps a message that is none of the contract's. */
  keep(message: SetAside): void {
    this.#setAside.push(message);
  }

  /** An insert begins now: nothing that becomes durable from here on may be left out of the next checkpoint. */
  beginInsert(): void {
    this.#insertingSince ??= Date.now();
  }

  /** The insert has ended and was noted. */
  endInsert(): void {
    this.#insertingSince = null;
  }

  /** Saves everything that has changed. Rejects when it could not; the next call then saves it. */
  checkpoint(): Promise<void> {
    const save = this.#saving.catch(() => {}).then(() => this.#save());
    this.#saving = save;
    return save;
  }

  /** As `completeness`, whichever process counts. */
  async read(device: string): Promise<Completeness> {
    if (!this.#options.isReader) return this.completeness(device);
    const { state, gaps } = await this.#store.loadOne(device);
    const ledger = new DeviceLedger();
    if (state) ledger.restore(state, gaps);
    return ledger.completeness();
  }

  /** What this process counts. */
  completeness(device: string): Completeness {
    return (this.#devices.get(device) ?? new DeviceLedger()).completeness();
  }

  quarantined(device: string): Promise<Quarantined[]> {
    return this.#store.quarantined(device, QUARANTINE_TOLD);
  }

  /** The device was deleted. */
  async forget(device: string): Promise<void> {
    this.#devices.delete(device);
    this.#dirty.delete(device);
    await this.#store.forget(device);
  }

  async #save(): Promise<void> {
    const devices = [...this.#dirty];
    const setAside = this.#setAside;
    if (devices.length === 0 && setAside.length === 0) return;
    this.#dirty.clear();
    this.#setAside = [];
    const savedAt = this.#insertingSince ?? Date.now();
    const gaps = devices.flatMap((device) =>
      this.device(device)
        .takeChangedGaps()
        .map((gap) => ({ device, gap: { ...gap } })),
    );
    const states = devices.map((device) => ({ device, state: () => this.device(device).save() }));
    try {
      await this.#store.save({ savedAt, states, gaps, setAside });
    } catch (error) {
      for (const device of devices) this.#dirty.add(device);
      for (const { device, gap } of gaps) this.device(device).gapIsUnsaved(gap);
      this.#setAside = [...setAside, ...this.#setAside];
      throw error;
    }
    const grown = new Set([...setAside, ...gaps].map(({ device }) => device));
    if (grown.size > 0) await this.#store.trim([...grown]);
  }

  /** Adds what the telemetry store has and the checkpoint had not; answers how many events that were. */
  #complete(run: StoredRun): number {
    const device = this.device(run.device);
    const fresh = rangesOf(run.msgIds).flatMap(([from, to]) => [...device.done.holes(from, to)]);
    const events = fresh.reduce((sum, [from, to]) => sum + to - from + 1, 0);
    if (events > 0) this.noteStored(run.device, fresh, [{ ...run, events }]);
    return events;
  }
}
