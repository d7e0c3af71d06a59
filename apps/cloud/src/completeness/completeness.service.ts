import type {
  Completeness,
  Gap,
  ImportedEvents,
  Quarantined,
} from '@albedo/contract/completeness/completeness.schema';
import type { DeclaredGap, EpochGrant, StatusMessage } from '@albedo/contract/link/link.messages';
import { shardOf } from '@albedo/contract/link/link.topics';
import type { Postgres } from '@albedo/postgres/postgres';
import type { Logger } from 'pino';
import type { Held } from '../shards/shards.service.ts';
import { type Checkpoint, CompletenessStore, type SetAside } from './completeness.store.ts';
import { DeviceLedger, type StoredStream } from './device-ledger.ts';
import type { Claim } from './device-numbers.ts';
import { type Range, rangesOf } from './interval-set.ts';
import { devicesOf, type Saved, saveApart } from './saved-apart.ts';

export type { SetAside } from './completeness.store.ts';
export type { StoredStream } from './device-ledger.ts';
export type { Claim } from './device-numbers.ts';
export { IntervalSet, type Range, rangesOf } from './interval-set.ts';

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
  /**
   * Everything of the devices of these shards, or of all, whose `store_time` is this instant (epoch ms) or later; runs
   * of one stream may come in pieces.
   */
  storedSince(since: number, shards: readonly string[] | null): AsyncIterable<StoredRun>;
}

export interface LedgerOptions {
  postgres: Postgres;
  telemetry: StoredEvents;
  log: Logger;
  /** ms between two checkpoints. */
  checkpointMs?: number;
  /**
   * What this process counts: every device, those of the shards that it takes and gives, or nothing, so that it only
   * reads what the others saved.
   */
  keeps?: 'everything' | 'shards' | 'nothing';
}

/** Store times and our clock may differ by this much; asking for too much costs only time. */
const MARGIN_MS = 60_000;
const QUARANTINE_TOLD = 100;
const IMPORTED_TOLD = 200;
/** Messages set aside that wait to be saved, at most, while the database takes none: the newest. */
const SET_ASIDE_HELD = 10_000;
/** Numbers kept with one message that was set aside; the gap has all of them. */
const IDS_KEPT = 200;

/**
 * The completeness ledger: which events of each device are stored, and why the others are not.
 *
 * Rules: the ledger counts events as stored only after they are durable. It lives in memory and is saved every
 * few seconds; `start` reads the last checkpoint and completes it from the telemetry store, so a crash between an
 * insert and a checkpoint changes nothing. What cannot be read back from there (gaps, what was set aside) is saved by
 * `checkpoint` before it is acknowledged.
 *
 * Where several processes count, each does so for its own shards: what another process has taken since is refused by
 * the database, by the token of the shard, and forgotten here.
 */
export class Ledger {
  readonly #options: LedgerOptions;
  readonly #store: CompletenessStore;
  readonly #devices = new Map<string, DeviceLedger>();
  /** Shards that this process counts, with their tokens; null when it counts all devices. */
  readonly #tokens: Map<string, number> | null;
  readonly #dirty = new Set<string>();
  /** Devices whose ledger the database refuses for what is in it. */
  readonly #refused = new Set<string>();
  /** What was stored before this instant, epoch ms, is in a checkpoint of every device. */
  #exactBefore = 0;
  #setAside: SetAside[] = [];
  #insertingSince: number | null = null;
  #timer: NodeJS.Timeout | null = null;
  #saving: Promise<void> = Promise.resolve();
  #isSaving = false;
  #tellLost: (shards: string[]) => void = () => {};

  constructor(options: LedgerOptions) {
    this.#options = options;
    this.#store = new CompletenessStore(options.postgres);
    this.#tokens = (options.keeps ?? 'everything') === 'everything' ? null : new Map();
  }

  async start(): Promise<void> {
    const { keeps = 'everything' } = this.#options;
    if (keeps === 'nothing') return;
    if (keeps === 'everything') await this.#load(null);
    this.#timer = setInterval(() => void this.#saveNow(), this.#options.checkpointMs ?? 5000);
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

  /** Reads the ledgers of shards that this process has got, and counts for them from here on. */
  async take(held: readonly Held[]): Promise<void> {
    const shards = held.map(({ shard }) => shard);
    this.drop(shards);
    try {
      await this.#load(shards);
      for (const { shard, token } of held) this.#tokens?.set(shard, token);
    } catch (error) {
      this.drop(shards);
      throw error;
    }
  }

  /** Counts for these no more, and forgets what was not saved. */
  drop(shards: readonly string[]): void {
    const gone = new Set(shards);
    for (const shard of shards) this.#tokens?.delete(shard);
    for (const id of this.#devices.keys()) if (gone.has(shardOf(id))) this.#devices.delete(id);
    for (const ids of [this.#dirty, this.#refused])
      for (const id of ids) if (gone.has(shardOf(id))) ids.delete(id);
    this.#setAside = this.#setAside.filter(({ device }) => !gone.has(shardOf(device)));
  }

  /** Called with shards that another process has taken, as a checkpoint found; they are dropped already. */
  onLost(tell: (shards: string[]) => void): void {
    this.#tellLost = tell;
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

  /** Null when the outbox may number; otherwise nothing may be taken from it, and it has to be told this. */
  admit(device: string, claim: Claim, now: number): EpochGrant | null {
    const ledger = this.device(device);
    const { version } = ledger.numbers;
    const grant = ledger.admit(claim, now);
    if (ledger.numbers.version !== version) this.#dirty.add(device);
    if (grant && ledger.numbers.version !== version) {
      const { outbox, first, keepTo } = grant;
      this.#options.log.warn(
        { device, outbox: claim.outbox, renamed: outbox === claim.outbox ? null : outbox, first, keepTo },
        'an outbox uses numbers that are not its own (a restored or copied disk?); it gets new ones',
      );
    }
    return grant;
  }

  /** Whether who numbers the events of the device is saved: before that nothing of a new epoch may be stored. */
  isNumberingSaved(device: string): boolean {
    const { version, savedVersion } = this.device(device).numbers;
    return version <= savedVersion;
  }

  /** Events came with numbers that other events have: they get new ones, which `aliasesOf` gives from now on. */
  addAliases(device: string, outbox: string, ranges: readonly Range[]): void {
    const ledger = this.device(device);
    ledger.addAliases(ranges);
    ledger.numbers.noteReused(outbox, ranges, Date.now());
    this.#dirty.add(device);
    this.#options.log.error(
      { device, outbox, ranges: ranges.slice(0, 10) },
      'a device used numbers twice; the second events are stored under numbers of their own',
    );
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

  /** What a scrub found missing in the store, or found again; heard by whichever process counts the device. */
  noteStoreLoss(device: string, gaps: readonly Gap[]): void {
    if (this.#options.keeps === 'nothing' || !this.#counts(device)) return;
    for (const gap of gaps) if (this.device(device).noteStoreLoss(gap)) this.#dirty.add(device);
  }

  /** An insert begins now: nothing that becomes durable from here on may be left out of the next checkpoint. */
  beginInsert(): void {
    this.#insertingSince ??= Date.now();
  }

  /** The insert has ended and was noted. */
  endInsert(): void {
    this.#insertingSince = null;
  }

  /**
   * Saves everything that has changed. Rejects when it could not; the next call then saves it. A device whose ledger the database
   * refuses keeps no other from being saved: `isRefused` tells, and the next call tries again.
   */
  checkpoint(): Promise<void> {
    const save = this.#saving.catch(() => {}).then(() => this.#save());
    this.#saving = save;
    return save;
  }

  /** Whether the last checkpoint could not save what is known of the device: nothing of it may be acknowledged then. */
  isRefused(device: string): boolean {
    return this.#refused.has(device);
  }

  /** As `completeness`, whichever process counts, with what was imported. */
  async read(device: string): Promise<Completeness> {
    return { ...(await this.#read(device)), imported: await this.#store.imported(device, IMPORTED_TOLD) };
  }

  /** What a file of history has brought, in the place of what was known of it; nothing once it was undone. */
  noteImported(importId: string, streams: readonly (ImportedEvents & { device: string })[]): Promise<void> {
    return this.#store.setImported(importId, streams);
  }

  async #read(device: string): Promise<Completeness> {
    if (this.#counts(device)) return this.completeness(device);
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

  /** The device was deleted, here or in another process. */
  letGo(device: string): void {
    this.#devices.delete(device);
    this.#dirty.delete(device);
    this.#refused.delete(device);
  }

  /** Deletes what is saved of the device. */
  async forget(device: string): Promise<void> {
    this.letGo(device);
    await this.#store.forget(device);
  }

  /** Skips its turn while a slow database still saves the last one: whoever must wait for a checkpoint waits for one. */
  async #saveNow(): Promise<void> {
    if (this.#isSaving) return;
    this.#isSaving = true;
    try {
      await this.checkpoint();
    } catch (err) {
      this.#options.log.error({ err }, 'the ledger could not be saved');
    } finally {
      this.#isSaving = false;
    }
  }

  #counts(device: string): boolean {
    return this.#tokens === null || this.#tokens.has(shardOf(device));
  }

  async #load(shards: readonly string[] | null): Promise<void> {
    const { telemetry, log } = this.#options;
    const { savedAt, states, gaps } = await this.#store.load(shards);
    this.#exactBefore = Math.min(this.#exactBefore, savedAt);
    for (const [id, state] of states) this.device(id).restore(state, gaps.get(id) ?? []);
    let events = 0;
    for await (const run of telemetry.storedSince(Math.max(0, savedAt - MARGIN_MS), shards)) {
      events += this.#complete(run);
    }
    if (events > 0) log.info({ events }, 'the ledger caught up with the telemetry store');
  }

  async #save(): Promise<void> {
    const dirty = [...this.#dirty].filter((device) => this.#counts(device));
    const setAside = this.#setAside.filter(({ device }) => this.#counts(device));
    if (dirty.length === 0 && setAside.length === 0) return;
    this.#dirty.clear();
    this.#setAside = [];
    // Held here, since shards may be dropped, and their devices with them, while this is saved.
    const ledgers = dirty.map((id) => ({ id, ledger: this.device(id) }));
    const versions = ledgers.map(({ ledger }) => ledger.numbers.version);
    const gaps = ledgers.flatMap(({ id, ledger }) =>
      ledger.takeChangedGaps().map((gap) => ({ device: id, gap: { ...gap } })),
    );
    const states = ledgers.map(({ id, ledger }) => ({ device: id, state: () => ledger.save() }));
    const held = this.#tokens && [...this.#tokens].map(([shard, token]) => ({ shard, token }));
    const all = { savedAt: this.#insertingSince ?? Date.now(), states, gaps, setAside, held };
    const putBack = (isMeant: (device: string) => boolean) => {
      for (const { id, ledger } of ledgers)
        if (isMeant(id) && this.#devices.get(id) === ledger) this.#dirty.add(id);
      for (const { device, gap } of gaps) if (isMeant(device)) this.#devices.get(device)?.gapIsUnsaved(gap);
      const kept = setAside
        .filter(({ device }) => isMeant(device) && this.#counts(device))
        .slice(-SET_ASIDE_HELD);
      this.#setAside = [...kept, ...this.#setAside];
    };
    let saved: Saved;
    try {
      const save = (part: Checkpoint) => this.#store.save(part);
      saved = await saveApart(save, all, this.#refused, this.#exactBefore);
    } catch (error) {
      putBack(() => true);
      throw error;
    }
    const { lost, refused } = saved;
    this.#noteRefused(all, refused);
    putBack((device) => refused.has(device));
    ledgers.forEach(({ id, ledger }, at) => {
      if (refused.has(id)) return;
      ledger.numbers.savedVersion = Math.max(ledger.numbers.savedVersion, versions[at] as number);
    });
    const late = lost.filter((shard) => held?.some((one) => one.shard === shard && this.#has(one)));
    if (late.length > 0) {
      this.#options.log.warn({ shards: late.length }, 'another process has taken shards meanwhile');
      this.drop(late);
      this.#tellLost(late);
    }
    const grown = new Set([...setAside, ...gaps].map(({ device }) => device));
    if (grown.size > 0) await this.#store.trim([...grown]);
  }

  /** Of the devices that were to be saved, some are refused, and those that were before may be saved now. */
  #noteRefused(checkpoint: Checkpoint, refused: ReadonlyMap<string, unknown>): void {
    for (const device of devicesOf(checkpoint)) {
      const err = refused.get(device);
      if (err === undefined) this.#refused.delete(device);
      else if (!this.#refused.has(device)) {
        this.#refused.add(device);
        this.#options.log.error(
          { err, device },
          'the ledger of a device could not be saved for what is in it; nothing of this device is acknowledged',
        );
      }
    }
    if (this.#refused.size === 0) this.#exactBefore = checkpoint.savedAt;
  }

  #has({ shard, token }: Held): boolean {
    return this.#tokens?.get(shard) === token;
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
