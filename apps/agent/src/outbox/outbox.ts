import { DatabaseSync } from 'node:sqlite';
import type { DeclaredGap, EpochChain, EpochGrant } from '@albedo/contract/link/link.messages';
import type { Log } from '../log.ts';
import { messageOf } from '../log.ts';
import {
  DISK_FULL,
  isCorrupt,
  type OpenSqlite,
  openDatabase,
  reserveNumbers,
  sqliteCode,
} from './outbox.database.ts';
import type { Acknowledgement, Capture, Position, Shape, StoredEvent, Unit } from './outbox.events.ts';
import type { StreamCounters } from './outbox.streams.ts';
import { OutboxWriter } from './outbox.writer.ts';

export interface OutboxOptions {
  directory: string;
  limitBytes: number;
  limitAgeMs: number;
  log: Log;
  /** Longest time that captured events stay in memory, ms. */
  commitMs?: number;
  open?: OpenSqlite;
}

const COMMIT_EVENTS = 1000;
/** Files wait when so much is in memory, bytes. */
const PENDING_FILES = 4 * 1024 * 1024;
/** Nothing more is taken into memory while the disk refuses. */
const PENDING_MAX = 8 * 1024 * 1024;
/** Share of the outbox up to which files are read: live ones, and those that catch up. */
const ROOM = { live: 0.8, backfill: 0.25 } as const;

/**
 * Captured events on disk until the cloud has stored them.
 *
 * One writer. `append` only remembers; a group is committed at the latest after `commitMs`, and only then do its
 * events exist for the sender. While the disk refuses (full, read-only), the group waits in memory, files are not
 * read on, and what does not fit is counted as dropped and declared as a gap.
 */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #commitMs: number;
  #writer: OutboxWriter | null = null;
  #units: Unit[] = [];
  #acks: Acknowledgement[] = [];
  #overflow = new Map<Shape, { rows: number; firstAt: number; lastAt: number }>();
  #pendingEvents = 0;
  #pendingBytes = 0;
  #timer: NodeJS.Timeout | null = null;
  #failure: string | null = null;
  #reservedUntil = 0;
  #damaged = new Set<number>();
  /** Called with committed events, in the order of their numbers. */
  onCommitted: (events: StoredEvent[]) => void = () => {};
  /** Called once when the outbox had to be replaced by a new one. */
  onReplaced: (reason: string) => void = () => {};
  /** Called when waiting events were found damaged: what happened, for people. */
  onDamaged: (reason: string) => void = () => {};
  /** Events and gaps (by first number) that are on their way and must not be dropped or changed. */
  isPinned: (id: number) => boolean = () => false;

  constructor(options: OutboxOptions) {
    this.#options = { ...options };
    this.#commitMs = options.commitMs ?? 240;
  }

  /** Throws when another agent has this outbox open, or its folder cannot be written. */
  start(): void {
    const { replaced, repaired } = this.#open();
    if (replaced) this.onReplaced(replaced);
    if (repaired) this.onDamaged(repaired);
  }

  /** Commits what is pending and closes. */
  stop(): void {
    if (!this.#writer) return;
    this.flush();
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#writer.close();
    this.#writer = null;
  }

  append(unit: Unit): void {
    const bytes = unit.captures.reduce((sum, one) => sum + roughBytes(one), 0);
    if (this.#failure && !unit.position && this.#pendingBytes + bytes > PENDING_MAX) {
      for (const capture of unit.captures) this.#countOverflow(capture);
      return;
    }
    this.#units.push(unit);
    this.#pendingBytes += bytes;
    for (const { rows } of unit.captures) this.#pendingEvents += rows.length;
    if (this.#pendingEvents >= COMMIT_EVENTS && !this.#failure) this.flush();
    else this.#schedule(this.#failure ? 1000 : this.#commitMs);
  }

  /** The cloud has stored these events, or set them aside. */
  acknowledge(ack: Acknowledgement): void {
    this.#acks.push(ack);
    this.#schedule(this.#failure ? 1000 : this.#commitMs);
  }

  /** Who numbers what it holds, as the cloud is told; where the disk refuses to note this start, it is not told of it. */
  claim(): { name: string; epochs: EpochChain } {
    const writer = this.#open0;
    const { name } = writer;
    const { chain } = writer.epochs;
    try {
      writer.saveEpoch();
      return { name, epochs: writer.epochs.chain };
    } catch (error) {
      this.#failed(error);
      return { name, epochs: chain.length > 1 ? chain.slice(0, -1) : chain };
    }
  }

  /**
   * Takes the epoch and the numbers that the cloud gives. True when that is done; false when it is for an earlier start, or
   * the disk refuses: the cloud then gives it again.
   */
  renumber(grant: EpochGrant): boolean {
    this.flush();
    const writer = this.#writer;
    if (!writer || this.#failure || writer.epochs.chain.at(-1)?.[0] !== grant.for) return false;
    try {
      writer.renumber(grant);
    } catch (error) {
      this.#failed(error);
      return false;
    }
    this.#reservedUntil = reserveNumbers(this.#options.directory, writer.next);
    return true;
  }

  /**
   * Notes by which id the device speaks. True where it was another one before: nothing that was sent under that one counts
   * any more. A disk that refuses is asked again at the next connection.
   */
  belongTo(device: string): boolean {
    this.flush();
    if (!this.#writer || this.#failure) return false;
    try {
      return this.#writer.belongTo(device);
    } catch (error) {
      this.#failed(error);
      return false;
    }
  }

  /** New limits; what is beyond them goes at the next commit. */
  limit(limitBytes: number, limitAgeMs: number): void {
    Object.assign(this.#options, { limitBytes, limitAgeMs });
    if (this.#writer) this.#writer.limits = { limitBytes, limitAgeMs };
  }

  /** Whether a file may be read on; `backfill` files leave room for what happens now. */
  hasRoom(kind: keyof typeof ROOM): boolean {
    if (this.#failure || !this.#writer || this.#pendingBytes > PENDING_FILES) return false;
    return this.#writer.bytes < this.#options.limitBytes * ROOM[kind];
  }

  /** Why nothing can be kept at the moment; null normally. */
  get failure(): string | null {
    return this.#failure;
  }

  position(key: string): Position | null {
    return this.#open0.positions.get(key);
  }

  /** Keys of all positions, also of files that are gone. */
  positionKeys(): string[] {
    return this.#open0.positions.keys();
  }

  /** The newest events at or below `below` that are not `skip`ped, newest first, up to the limits. */
  newest(
    limits: { events: number; bytes: number },
    below: { eventAt: number; id: number } | null,
    skip: (id: number) => boolean,
  ): StoredEvent[] {
    try {
      const isDamaged = (id: number) => this.#damaged.add(id);
      return this.#open0.newest(limits, below, (id) => skip(id) || this.#damaged.has(id), isDamaged);
    } catch (error) {
      if (!isCorrupt(error)) throw error;
      this.#failed(error);
      return [];
    } finally {
      if (this.#damaged.size > 0) this.#schedule(0);
    }
  }

  gaps(limit: number): DeclaredGap[] {
    return this.#open0.gaps(limit);
  }

  counters(): StreamCounters[] {
    return this.#open0.counters();
  }

  get facts() {
    const writer = this.#open0;
    const { name, next, bytes, events, dropped, lastDataAt, previousWallAt } = writer;
    return {
      name,
      epochs: writer.epochs.chain,
      ackedId: writer.ackedId,
      ackedEpoch: writer.epochs.acked,
      lastId: next - 1,
      /** Of the events on disk; null when there are none. */
      firstId: writer.firstId(),
      bytes: bytes + this.#pendingBytes,
      events: events + this.#pendingEvents,
      dropped,
      lastDataAt,
      limitBytes: this.#options.limitBytes,
      /** Clock of the machine when the outbox was last written before this start. */
      previousWallAt,
    };
  }

  /** Commits what is pending now. Never throws: a failure is kept in `failure` and tried again. */
  flush(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const writer = this.#writer;
    if (!writer) return;
    try {
      const committed = writer.commit(this.#units, this.#acks, this.#overflow, this.isPinned, this.#damaged);
      this.#committed(committed);
    } catch (error) {
      this.#failed(error);
    }
  }

  #committed(events: StoredEvent[]): void {
    if (this.#failure) this.#options.log.info('The outbox can be written again.');
    this.#failure = null;
    const acks = this.#acks;
    const damaged = this.#damaged.size;
    this.#damaged = new Set();
    this.#units = [];
    this.#acks = [];
    this.#overflow.clear();
    this.#pendingBytes = 0;
    this.#pendingEvents = 0;
    if (this.#open0.next >= this.#reservedUntil) {
      this.#reservedUntil = reserveNumbers(this.#options.directory, this.#open0.next);
    }
    for (const ack of acks) ack.onForgotten();
    if (events.length > 0) this.onCommitted(events);
    if (damaged === 0) return;
    const reason = `${damaged} waiting events were damaged on the disk; they are kept apart in the outbox and the others go on.`;
    this.#options.log.error(reason);
    this.onDamaged(reason);
  }

  #failed(error: unknown): void {
    if (isCorrupt(error)) {
      this.#writer?.close();
      this.#writer = null;
      const { replaced, repaired } = this.#open();
      this.#options.log.error(`The outbox was damaged while in use: ${messageOf(error)}`);
      if (replaced) {
        this.#acks = [];
        // Files are read again from their start, for the events of theirs that waited in the old outbox.
        this.#units = this.#units.filter((one) => !one.position);
        this.onReplaced(replaced);
      } else this.onDamaged(repaired ?? messageOf(error));
      this.#schedule(this.#commitMs);
      return;
    }
    this.#failure =
      sqliteCode(error) === DISK_FULL
        ? `The disk of ${this.#options.directory} is full; files are read on when there is room again.`
        : `The outbox in ${this.#options.directory} cannot be written: ${messageOf(error)}`;
    this.#options.log.error(this.#failure);
    this.#schedule(1000);
  }

  #open(): { replaced: string | null; repaired: string | null } {
    const { directory, log, limitBytes, limitAgeMs } = this.#options;
    const open = this.#options.open ?? ((path: string) => new DatabaseSync(path));
    const { db, replaced, repaired, unknown } = openDatabase(directory, log, open);
    this.#writer = new OutboxWriter(db, { limitBytes, limitAgeMs });
    if (unknown) this.#writer.declareUnknown(unknown);
    this.#reservedUntil = reserveNumbers(directory, this.#writer.next);
    return { replaced, repaired };
  }

  get #open0(): OutboxWriter {
    if (!this.#writer) throw new Error('The outbox is not open.');
    return this.#writer;
  }

  #countOverflow({ shape, rows, unkept = 0 }: Capture): void {
    const at = rows.length > 0 ? rows.map((row) => row.eventAt) : [Date.now()];
    const lost = this.#overflow.get(shape) ?? { rows: 0, firstAt: Infinity, lastAt: -Infinity };
    lost.rows += rows.length + unkept;
    lost.firstAt = Math.min(lost.firstAt, ...at);
    lost.lastAt = Math.max(lost.lastAt, ...at);
    this.#overflow.set(shape, lost);
  }

  #schedule(ms: number): void {
    this.#timer ??= setTimeout(() => this.flush(), ms);
  }
}

function roughBytes({ rows, shape }: Capture): number {
  let bytes = rows.length * (64 + shape.fields.length * 10);
  for (const row of rows)
    for (const value of row.values) if (typeof value === 'string') bytes += value.length;
  return bytes;
}
