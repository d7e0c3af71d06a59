import { randomUUID } from 'node:crypto';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { GapCause } from '@albedo/contract/completeness/completeness.schema';
import type { DeclaredGap, EpochChain, EpochGrant } from '@albedo/contract/link/link.messages';
import { AGENT_ERRORS } from '@albedo/contract/telemetry/telemetry.schema';
import { OutboxAge } from './outbox.age.ts';
import { Epochs } from './outbox.epochs.ts';
import type { Acknowledgement, Shape, StoredEvent, Unit } from './outbox.events.ts';
import { Gaps, type Loss } from './outbox.gaps.ts';
import { Positions } from './outbox.positions.ts';
import { type Stream, type StreamCounters, Streams } from './outbox.streams.ts';
import { readWaiting, sumOf } from './outbox.waiting.ts';

/** What an event counts in the outbox beyond its values: row, index and bookkeeping, bytes. */
const ROW_BYTES = 64;
/** When the outbox is full, room is made down to this share of it, so that dropping is not done for every event. */
const DROP_TO = 0.95;
const DROP_STEP = 500;
const EXPIRY_CHECK_MS = 60_000;

/**
 * Reads and writes the tables of the outbox. After an exception of `commit` nothing has changed, on disk or here.
 *
 * Drop policy: over `limitBytes` the events with the oldest time go first, so back-fill goes before what happened in
 * the last minutes; over `limitAgeMs` those that were captured longest ago. Age is counted by a clock that does not
 * jump. Dropped events become gaps that stay until the cloud has noted them.
 */
export class OutboxWriter {
  readonly positions: Positions;
  readonly #db: DatabaseSync;
  limits: { limitBytes: number; limitAgeMs: number };
  readonly #statements = new Map<string, StatementSync>();
  readonly #streams: Streams;
  readonly #gaps: Gaps;
  /** This start, and those before it of which the cloud may not know. */
  readonly epochs: Epochs;
  readonly #age = new OutboxAge();
  #expiryCheckedAt = -Infinity;
  name = '';
  next = 0;
  bytes = 0;
  events = 0;
  dropped = 0;
  lastDataAt: number | null = null;
  previousWallAt = 0;
  /** Highest number that the cloud has acknowledged. */
  ackedId: number | null = null;
  /** Whose events these are; null until the device knew its own id. */
  #device: string | null = null;

  constructor(db: DatabaseSync, limits: { limitBytes: number; limitAgeMs: number }) {
    this.#db = db;
    this.limits = limits;
    const sql = (text: string) => this.#sql(text);
    this.#streams = new Streams(sql);
    this.#gaps = new Gaps(sql, (id) => this.#streams.byId(id));
    this.positions = new Positions(sql, () => this.previousWallAt);
    this.epochs = new Epochs(sql);
    this.#load();
    this.#age.addStop(this.previousWallAt);
  }

  close(): void {
    this.#db.close();
  }

  /** Writes all of it in one transaction and returns the new events in the order of their numbers. */
  commit(
    units: Unit[],
    acks: Acknowledgement[],
    overflow: Map<Shape, { rows: number; firstAt: number; lastAt: number }>,
    isPinned: (id: number) => boolean,
    damaged: Iterable<number> = [],
  ): StoredEvent[] {
    return this.#inOnePiece(() => {
      for (const ack of acks) this.#forget(ack);
      const stored: StoredEvent[] = [];
      for (const id of damaged) this.#setAside(id, isPinned);
      for (const unit of units) this.#insert(unit, stored);
      for (const [shape, { rows, firstAt, lastAt }] of overflow) {
        const { stream } = this.#streams.known(this.#streams.shapeId(shape));
        this.#declareUnwritten(stream, 'outbox_full', rows, [firstAt, lastAt]);
      }
      this.#makeRoom(isPinned);
      this.#expire(isPinned);
      this.#saveState();
      return stored;
    });
  }

  /**
   * Takes the epoch that the cloud gives: what is above `keepTo` gets new numbers in the same order. Under a new name the
   * outbox counts from there, since what was before belongs to the outbox that it is a copy of.
   */
  renumber({ epoch, first, keepTo, outbox }: EpochGrant): void {
    this.#inOnePiece(() => {
      if (outbox !== this.name) {
        this.#streams.restart((streamId) => this.#countAbove(streamId, keepTo));
        this.name = outbox;
        this.#sql('UPDATE state SET name = ?').run(outbox);
      }
      if (this.next > keepTo + 1) {
        const by = first - (keepTo + 1);
        // By way of negative numbers, so that no event meets one that has not moved yet.
        this.#sql('UPDATE events SET msg_id = -(msg_id + ?) WHERE msg_id > ?').run(by, keepTo);
        this.#sql('UPDATE events SET msg_id = -msg_id WHERE msg_id < 0').run();
        this.#sql('UPDATE gaps SET first = -(first + ?), last = last + ? WHERE first > ?').run(
          by,
          by,
          keepTo,
        );
        this.#sql('UPDATE gaps SET first = -first WHERE first < 0').run();
        this.next += by;
      } else this.next = Math.max(this.next, first);
      this.epochs.rewrite([epoch, first]);
      this.#saveCounters();
    });
    this.epochs.begin([epoch, first]);
  }

  /**
   * Notes this start on the disk. It has to be there before the cloud is told of it: a start that the cloud knows and the next
   * one does not looks like that of a copied disk.
   */
  saveEpoch(): void {
    if (!this.epochs.isSaved) this.#inOnePiece(() => this.#saveState());
  }

  /**
   * Notes whose events these are. True where they were another device's before: the outbox then counts as a new one, from
   * what still waits on, since nobody has taken or acknowledged anything of it for this device.
   */
  belongTo(device: string): boolean {
    if (this.#device === device) return false;
    const isOther = this.#device !== null;
    const name = isOther ? randomUUID() : this.name;
    const epoch: EpochChain[number] = [randomUUID(), this.#firstWaiting() ?? this.next];
    this.#inOnePiece(() => {
      this.#sql('UPDATE state SET device = ?, name = ?').run(device, name);
      if (!isOther) return;
      this.#streams.restart((streamId) => this.#countAbove(streamId, -1));
      this.ackedId = null;
      this.epochs.rewrite(epoch);
      this.#saveCounters();
    });
    this.#device = device;
    if (!isOther) return false;
    this.name = name;
    this.epochs.begin(epoch);
    return true;
  }

  /** Lowest number of what waits, events and declared gaps; null when nothing does. */
  #firstWaiting(): number | null {
    const first = this.#sql(
      'SELECT min(one) AS first FROM (SELECT min(msg_id) AS one FROM events UNION ALL SELECT min(first) FROM gaps)',
    ).get()?.first;
    return first === null || first === undefined ? null : Number(first);
  }

  #inOnePiece<T>(work: () => T): T {
    this.#db.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.#db.exec('COMMIT');
      return result;
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      this.#statements.clear();
      const { name } = this;
      this.#load();
      this.name ||= name;
      throw error;
    }
  }

  #countAbove(streamId: number, keepTo: number): { waiting: number; dropped: number } {
    const waiting = this.#sql(
      'SELECT count(*) AS n FROM events e JOIN shapes s ON s.id = e.shape WHERE s.stream = ? AND e.msg_id > ?',
    ).get(streamId, keepTo)?.n;
    const dropped = this.#sql('SELECT sum(events) AS n FROM gaps WHERE stream = ? AND first > ?').get(
      streamId,
      keepTo,
    )?.n;
    return { waiting: Number(waiting ?? 0), dropped: Number(dropped ?? 0) };
  }

  /** What waited in the outbox before this one nobody can know. */
  declareUnknown(cause: GapCause): void {
    this.#inOnePiece(() => {
      this.#gaps.addUnknown(0, this.next++, cause);
      this.#saveCounters();
    });
  }

  newest(
    limits: { events: number; bytes: number },
    below: { eventAt: number; id: number } | null,
    skip: (id: number) => boolean,
    isDamaged: (id: number) => void = () => {},
  ): StoredEvent[] {
    return readWaiting((text) => this.#sql(text), this.#streams, { limits, below, skip, isDamaged });
  }

  gaps(limit: number): DeclaredGap[] {
    return this.#gaps.list(limit);
  }

  /** Lowest number of the events that wait; null when none do. */
  firstId(): number | null {
    const first = this.#sql('SELECT min(msg_id) AS first FROM events').get()?.first ?? null;
    return first === null ? null : Number(first);
  }

  counters(): StreamCounters[] {
    return this.#streams.counters();
  }

  #insert(unit: Unit, stored: StoredEvent[]): void {
    const insert = this.#sql('INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?)');
    const keptAt = this.#age.ms;
    for (const { shape, rows, unkept = 0 } of unit.captures) {
      const shapeId = this.#streams.shapeId(shape);
      const known = this.#streams.known(shapeId);
      for (const row of rows) {
        const body = JSON.stringify(row.values);
        const size = Buffer.byteLength(body) + ROW_BYTES;
        const id = this.next++;
        const eventAt = Number.isFinite(row.eventAt) ? Math.round(row.eventAt) : Date.now();
        insert.run(id, shapeId, eventAt, keptAt, size, body, sumOf(known.sum, eventAt, body));
        stored.push({ id, shape: known.shape, eventAt, body, size });
        this.bytes += size;
        if (shape.table !== AGENT_ERRORS) {
          this.lastDataAt = Math.max(this.lastDataAt ?? 0, Math.min(eventAt, Date.now()));
        }
      }
      this.events += rows.length;
      known.stream.captured += rows.length;
      known.stream.touched = true;
      // What was read and is not kept, since there is too much of its kind.
      if (unkept > 0) this.#declareUnwritten(known.stream, 'file_lost', unkept, [Date.now(), Date.now()]);
    }
    if (unit.lost) {
      const { id } = this.#streams.stream(unit.lost.table, unit.lost.source);
      this.#gaps.addUnknown(id, this.next++, 'file_lost');
    }
    if (unit.position) this.positions.save(unit.position.key, unit.position.value);
  }

  /** An event that the disk has damaged is kept apart, and declared. */
  #setAside(id: number, isPinned: (id: number) => boolean): void {
    const row = this.#sql('SELECT shape, event_at, size FROM events WHERE msg_id = ?').get(id);
    this.#sql('INSERT OR REPLACE INTO damaged SELECT * FROM events WHERE msg_id = ?').run(id);
    this.#sql('DELETE FROM events WHERE msg_id = ?').run(id);
    const stream = row && this.#streams.find(Number(row.shape))?.stream;
    const at = Number(row?.event_at ?? Number.NaN);
    const times = Number.isSafeInteger(at) ? { from: at, to: at } : { from: 0, to: 0 };
    if (row) {
      this.events--;
      this.bytes -= Number(row.size) || 0;
    }
    const loss = { first: id, last: id, events: 1, ...times };
    if (stream) this.#declare(stream, 'outbox_damaged', loss, isPinned);
    else this.#gaps.add({ id: 0 }, 'outbox_damaged', loss, isPinned);
  }

  #forget({ ranges, gaps, epoch }: Acknowledgement): void {
    if (epoch && ranges.length + gaps.length > 0) this.epochs.settle(epoch);
    for (const [, to] of ranges) this.ackedId = Math.max(this.ackedId ?? 0, to);
    const remove = this.#sql('DELETE FROM events WHERE msg_id BETWEEN ? AND ? RETURNING shape, size');
    for (const [from, to] of ranges) {
      for (const row of remove.all(from, to)) {
        const { stream } = this.#streams.known(Number(row.shape));
        stream.sent++;
        stream.touched = true;
        this.events--;
        this.bytes -= Number(row.size);
      }
    }
    this.#gaps.forget(gaps);
  }

  #makeRoom(isPinned: (id: number) => boolean): void {
    if (this.bytes <= this.limits.limitBytes) return;
    const oldest = this.#sql('SELECT msg_id FROM events ORDER BY event_at, msg_id');
    while (this.bytes > this.limits.limitBytes * DROP_TO) {
      const ids: number[] = [];
      for (const row of oldest.iterate()) {
        if (!isPinned(Number(row.msg_id))) ids.push(Number(row.msg_id));
        if (ids.length >= DROP_STEP) break;
      }
      if (ids.length === 0) return;
      this.#drop(ids, 'outbox_full', isPinned, this.limits.limitBytes * DROP_TO);
    }
  }

  #expire(isPinned: (id: number) => boolean): void {
    if (performance.now() - this.#expiryCheckedAt < EXPIRY_CHECK_MS) return;
    this.#expiryCheckedAt = performance.now();
    const cutoff = this.#age.ms - this.limits.limitAgeMs;
    const ids: number[] = [];
    for (const row of this.#sql('SELECT msg_id, kept_at FROM events ORDER BY msg_id').iterate()) {
      if (Number(row.kept_at) >= cutoff) break;
      if (!isPinned(Number(row.msg_id))) ids.push(Number(row.msg_id));
      if (ids.length >= 100_000) break;
    }
    this.#drop(ids, 'outbox_expired', isPinned, -1);
  }

  /** Drops `ids` in their order until `downTo` bytes are left, and declares them as one gap for each stream. */
  #drop(ids: number[], cause: GapCause, isPinned: (id: number) => boolean, downTo: number): void {
    const remove = this.#sql('DELETE FROM events WHERE msg_id = ? RETURNING shape, size, event_at');
    const gone = new Map<Stream, Loss & { from: number; to: number }>();
    for (const id of ids) {
      if (this.bytes <= downTo) break;
      const row = remove.get(id);
      if (!row) continue;
      const { stream } = this.#streams.known(Number(row.shape));
      const at = Number(row.event_at);
      const gap = gone.get(stream) ?? { first: id, last: id, events: 0, from: at, to: at };
      gap.first = Math.min(gap.first, id);
      gap.last = Math.max(gap.last, id);
      gap.from = Math.min(gap.from, at);
      gap.to = Math.max(gap.to, at);
      gap.events++;
      gone.set(stream, gap);
      this.events--;
      this.bytes -= Number(row.size);
    }
    for (const [stream, gap] of gone) this.#declare(stream, cause, gap, isPinned);
  }

  /** Events that never got onto the disk still get numbers, so that the cloud can see what is missing. */
  #declareUnwritten(stream: Stream, cause: GapCause, events: number, [from, to]: [number, number]): void {
    const first = this.next;
    this.next += events;
    stream.captured += events;
    this.#declare(stream, cause, { first, last: this.next - 1, events, from, to }, () => true);
  }

  #declare(stream: Stream, cause: GapCause, loss: Loss, isPinned: (id: number) => boolean): void {
    stream.dropped += loss.events;
    stream.touched = true;
    this.dropped += loss.events;
    this.#gaps.add(stream, cause, loss, isPinned);
  }

  #saveState(): void {
    this.#saveCounters();
    this.epochs.save();
  }

  #saveCounters(): void {
    this.#streams.save();
    this.#sql(
      'UPDATE state SET next = ?, age = ?, wall = ?, last_data_at = ?, acked = ?, acked_under = ?',
    ).run(
      this.next,
      this.#age.ms,
      Date.now(),
      this.lastDataAt,
      this.ackedId,
      this.epochs.ackedUnder(this.ackedId),
    );
  }

  #load(): void {
    const state = this.#db.prepare('SELECT * FROM state').get();
    if (!state) throw new Error('The outbox has no state.');
    this.name = String(state.name);
    this.#device = state.device === null ? null : String(state.device);
    this.next = Number(state.next);
    this.lastDataAt = state.last_data_at === null ? null : Number(state.last_data_at);
    if (this.previousWallAt === 0) {
      this.previousWallAt = Number(state.wall);
      this.#age.resume(Number(state.age));
    }
    const sums = this.#db.prepare('SELECT count(*) AS events, sum(size) AS bytes FROM events').get();
    this.events = Number(sums?.events ?? 0);
    this.bytes = Number(sums?.bytes ?? 0);
    this.ackedId = state.acked === null ? null : Number(state.acked);
    this.epochs.load(this.next);
    this.#streams.load();
    this.#gaps.load();
    this.dropped = this.#streams.counters().reduce((sum, [, , , , dropped]) => sum + dropped, 0);
  }

  #sql(text: string): StatementSync {
    const known = this.#statements.get(text);
    if (known) return known;
    const statement = this.#db.prepare(text);
    this.#statements.set(text, statement);
    return statement;
  }
}
