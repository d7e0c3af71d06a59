import type { Completeness, Gap, GapCause } from '@albedo/contract/completeness/completeness.schema';
import type { DeclaredGap, EpochGrant, StatusMessage } from '@albedo/contract/link/link.messages';
import { type Arrived, type Claim, DeviceNumbers, type SavedNumbers } from './device-numbers.ts';
import { IntervalSet, type Range } from './interval-set.ts';
import { LedgerGaps } from './ledger-gaps.ts';
import { LedgerStreams, type OutboxCounts, type StreamCounts } from './ledger-streams.ts';

/** Events of one stream that have become durable together. */
export interface StoredStream {
  table: string;
  source: string;
  events: number;
  /** Of these, events that have the time of their arrival, because their own was of the future. */
  ahead?: number;
  firstEventAt: number;
  lastEventAt: number;
}

type SavedStatus = Omit<StatusMessage, 'streams' | 'epochs'>;

/** An outbox that speaks no more, as it was; a copy of a disk may come back. */
interface Asleep {
  outbox: string;
  outboxFirst: number | null;
  status: SavedStatus | null;
  /** What it counts for in the streams. */
  streams: OutboxCounts[];
}

/** A device's ledger as it lies in the database; ranges are flat, from and to in turn. */
export interface SavedState {
  outbox: string | null;
  outboxFirst: number | null;
  done: number[];
  status: SavedStatus | null;
  streams: StreamCounts[];
  /** Absent where no agent with epochs was heard yet. */
  numbers?: SavedNumbers;
  asleep?: Asleep[];
}

/** Ranges kept for one device with an empty outbox; what is more is closed, the oldest holes first, as unexplained. */
const RANGE_LIMIT = 5000;
/** Ranges kept whatever the outbox holds: a device that leaves out every second number must not cost the others their memory. */
const RANGES_AT_MOST = 100_000;
/** Set-aside events of one stream within this time are one gap, ms. */
const SAME_GAP_MS = 3_600_000;
/** How many of the newest gaps of one device are answered. */
const GAPS_TOLD = 500;
/** Outboxes of one device that are gone and could come back: the newest. */
const ASLEEP_KEPT = 8;

/** What is known of the events of one device. It only counts; `Ledger` keeps many of them and saves them. */
export class DeviceLedger {
  outbox: string | null = null;
  /** Stored or set aside: never to be stored again. */
  readonly done = new IntervalSet();
  /** On their way into the store now. */
  readonly pending = new IntervalSet();
  readonly numbers = new DeviceNumbers();
  #asleep: Asleep[] = [];
  readonly #streams = new LedgerStreams();
  readonly #gaps = new LedgerGaps();
  readonly #declared = new IntervalSet();
  #status: SavedStatus | null = null;
  #outboxFirst: number | null = null;

  restore(state: SavedState, gaps: Iterable<Gap>): void {
    this.outbox = state.outbox;
    this.#outboxFirst = state.outboxFirst;
    for (let at = 0; at + 1 < state.done.length; at += 2) {
      this.done.add(state.done[at] as number, state.done[at + 1] as number);
    }
    this.#status = state.status;
    this.#streams.restore(state.streams);
    if (state.numbers) this.numbers.restore(state.numbers);
    this.#asleep = state.asleep ?? [];
    for (const gap of gaps) {
      this.#gaps.restore(gap);
      const hasNumbers = gap.cause !== 'set_aside' && gap.cause !== 'store_lost';
      if (hasNumbers && gap.events !== 0) this.#declared.add(gap.from, gap.to);
    }
  }

  save(): SavedState {
    return {
      outbox: this.outbox,
      outboxFirst: this.#outboxFirst,
      done: [...this.done].flat(),
      status: this.#status,
      streams: this.#streams.save(),
      numbers: this.numbers.save(),
      asleep: this.#asleep,
    };
  }

  /** Gaps that are new or have changed since the last call. */
  takeChangedGaps(): Gap[] {
    return this.#gaps.takeChanged();
  }

  /** A gap that `takeChangedGaps` gave could not be saved. */
  gapIsUnsaved(gap: Gap): void {
    const kept = this.#gaps.get(gap);
    if (kept) this.#gaps.noteChanged(kept);
  }

  /** Highest number of which anything is known. */
  get #seen(): number {
    return Math.max(this.done.max, this.pending.max, this.#status?.lastMsgId ?? 0);
  }

  /** Null when the outbox may number; otherwise nothing may be taken from it, and this is what it has to do. */
  admit(claim: Claim, now: number): EpochGrant | null {
    const { grant, forgotten } = this.numbers.admit(claim, this.#arrived, now);
    for (const [from, to] of forgotten) this.#noteForgotten(from, to, now);
    return grant;
  }

  get #arrived(): Arrived {
    const { done, pending } = this;
    return {
      max: Math.max(done.max, pending.max),
      told: this.#status?.lastMsgId ?? 0,
      holeOf: (number) => {
        if (done.has(number) || pending.has(number)) return null;
        return Math.max(0, done.before(number), pending.before(number)) + 1;
      },
    };
  }

  /** Numbers that others have used meanwhile are not missing any more, but what first came with them is. */
  #noteForgotten(from: number, to: number, now: number): void {
    const free = [...this.done.holes(from, to)];
    const taken = [...new IntervalSet(free).holes(from, to)];
    const [first, last] = [taken[0], taken.at(-1)];
    if (!first || !last) return;
    this.#declared.add(first[0], last[1]);
    const range = { from: first[0], to: last[1] };
    this.#gaps.add({ ...nowhere, ...range, cause: 'cloud_restored', events: null, reportedAt: now });
  }

  /** Gives new numbers to events that came with numbers that others have. */
  addAliases(ranges: readonly Range[]): void {
    this.numbers.addAliases(ranges, this.#seen);
  }

  /** Tells the name of the outbox that numbers come from; another one than before means that the old one is gone. */
  noteOutbox(outbox: string, now: number): void {
    if (outbox === this.outbox) return;
    const isCopy = this.numbers.isCopy(outbox);
    if (this.outbox !== null) this.#closeOutbox(now, isCopy ? 'outbox_restored' : 'outbox_lost');
    this.outbox = outbox;
    this.#outboxFirst = null;
    this.#wake(outbox);
  }

  noteStatus(status: StatusMessage, now: number): void {
    this.noteOutbox(status.outbox, now);
    const { streams, epochs: _, ...rest } = status;
    this.#status = { ...rest, at: now };
    this.#streams.noteStatus(streams);
    const judged = lastJudged(status);
    if (this.done.size > RANGE_LIMIT && judged !== null) this.#closeOldHoles(status.outbox, judged);
  }

  /** These numbers were received and are on their way. */
  notePending(ranges: readonly Range[]): void {
    for (const [from, to] of ranges) {
      this.pending.add(from, to);
      this.#noteFirst(from);
    }
  }

  /** These numbers are durable in the store. */
  noteStored(ranges: readonly Range[], streams: readonly StoredStream[]): void {
    this.#noteDone(ranges);
    for (const one of streams) {
      const stream = this.#streams.of(one.table, one.source);
      stream.stored += one.events;
      if (one.ahead) stream.ahead = (stream.ahead ?? 0) + one.ahead;
      stream.firstEventAt = least(stream.firstEventAt, one.firstEventAt);
      stream.lastEventAt = most(stream.lastEventAt, one.lastEventAt);
    }
  }

  /** These numbers of a stream cannot be stored and never will. Answers how many of them are new. */
  noteSetAside(table: string, source: string, ranges: readonly Range[], now: number): number {
    const fresh = ranges.flatMap(([from, to]) => [...this.done.holes(from, to)]);
    const events = fresh.reduce((sum, [from, to]) => sum + to - from + 1, 0);
    const [first, last] = [fresh[0], fresh.at(-1)];
    if (!first || !last) return 0;
    this.#noteDone(fresh);
    this.#streams.of(table, source).setAside += events;
    const open = [...this.#gaps].findLast(
      (gap) =>
        gap.cause === 'set_aside' &&
        gap.table === table &&
        gap.source === source &&
        gap.to < first[0] &&
        now - gap.reportedAt < SAME_GAP_MS,
    );
    if (open) {
      open.to = last[1];
      open.events = (open.events ?? 0) + events;
      this.#gaps.noteChanged(open);
    } else {
      const gap = { from: first[0], to: last[1], table, source, cause: 'set_aside' as const, events };
      this.#gaps.add({ ...noTimes, ...gap, reportedAt: now });
    }
    return events;
  }

  /** The device says that it will never send these. What the store has of them after all is no gap. */
  noteGap(declared: DeclaredGap, now: number): void {
    const { from, to } = declared;
    this.#noteFirst(from);
    this.#declared.add(from, to);
    if (this.#declared.size > RANGES_AT_MOST) {
      const [, half] = [...this.#declared][RANGES_AT_MOST / 2] ?? [];
      this.#declared.remove(this.#declared.min, half ?? to);
    }
    const isWhole = declared.events === to - from + 1;
    const events = isWhole ? to - from + 1 - this.done.count(from, to) : declared.events;
    if (events !== 0) this.#gaps.add({ ...declared, events, reportedAt: now });
  }

  /** What the store does not give back any more, or again (`events` 0). True when that is news. */
  noteStoreLoss(gap: Gap): boolean {
    const known = this.#gaps.get(gap);
    if ((known?.events ?? 0) === gap.events) return false;
    this.#gaps.add(gap);
    return true;
  }

  completeness(): Completeness {
    const streams = this.#streams.sums();
    const sum = (of: 'captured' | 'stored' | 'dropped' | 'setAside') =>
      streams.reduce((total, stream) => total + stream[of], 0);
    const gaps = [...this.#gaps].filter(({ events }) => events !== 0);
    const unexplained = [...this.#unexplained()];
    const told = [...gaps, ...unexplained, ...this.#forgottenOfOthers(unexplained)].sort(
      (a, b) => b.reportedAt - a.reportedAt,
    );
    return {
      captured: sum('captured'),
      stored: sum('stored'),
      pending: this.#status?.pendingEvents ?? 0,
      dropped: sum('dropped'),
      setAside: sum('setAside'),
      unreadBytes: this.#status?.unreadBytes ?? 0,
      outboxBytes: this.#status?.pendingBytes ?? 0,
      outboxLimitBytes: this.#status?.outboxLimitBytes ?? 0,
      reportedAt: this.#status?.at ?? null,
      streams,
      gaps: told.slice(0, GAPS_TOLD),
      numberings: this.numbers.numberings((from, to) => this.done.count(from, Math.min(to, this.done.max))),
      reused: this.numbers.reused,
      imported: [],
    };
  }

  /** Numbers that the device gave out, has no more, and that never arrived. */
  *#unexplained(): Generator<Gap> {
    const status = this.#status;
    const judged = status && lastJudged(status);
    if (!judged || this.#outboxFirst === null) return;
    for (const [from, to] of this.#missingOf(status.outbox, this.#outboxFirst, judged)) {
      for (const [first, last, cause] of this.#causesOf(from, to)) {
        yield { ...nowhere, from: first, to: last, cause, events: last - first + 1, reportedAt: status.at };
      }
    }
  }

  /**
   * Numbers of other outboxes that were acknowledged before a backup was restored here. Not all of them need have been used, so
   * nobody can know how many events they are.
   */
  *#forgottenOfOthers(unexplained: readonly Gap[]): Generator<Gap> {
    if (!this.#status) return;
    const own = new IntervalSet(unexplained.map(({ from, to }): Range => [from, to]));
    const { at } = this.#status;
    for (const range of this.numbers.forgotten)
      for (const missing of this.#missing(...range))
        for (const [from, to] of own.holes(...missing))
          yield { ...nowhere, from, to, cause: 'cloud_restored', events: null, reportedAt: at };
  }

  /** Whether missing numbers were acknowledged before a backup was restored here. */
  *#causesOf(from: number, to: number): Generator<[from: number, to: number, cause: GapCause]> {
    let next = from;
    for (const [first, last] of this.numbers.forgotten.holes(from, to)) {
      if (first > next) yield [next, first - 1, 'cloud_restored'];
      yield [first, last, 'unexplained'];
      next = last + 1;
    }
    if (next <= to) yield [next, to, 'cloud_restored'];
  }

  /** As `#missing`, of the numbers that the outbox may have given out. */
  *#missingOf(outbox: string, first: number, last: number): Generator<Range> {
    for (const [from, to] of this.numbers.ownedBy(outbox))
      yield* this.#missing(Math.max(from, first), Math.min(to, last));
  }

  *#missing(first: number, last: number): Generator<Range> {
    for (const hole of this.done.holes(first, last)) {
      for (const undeclared of this.#declared.holes(hole[0], hole[1])) {
        yield* this.pending.holes(undeclared[0], undeclared[1]);
      }
    }
  }

  /** The outbox is gone: what it still held is lost, unless it comes back, and its counters start over. */
  #closeOutbox(now: number, whenHeld: GapCause): void {
    const status = this.#status;
    if (status && status.outbox === this.outbox) {
      const cause: GapCause = status.pendingEvents > 0 ? whenHeld : 'unexplained';
      const first = this.#outboxFirst ?? status.lastMsgId - status.pendingEvents + 1;
      const missing = [...this.#missingOf(status.outbox, first, status.lastMsgId)];
      for (const [from, to, why] of missing.flatMap((range) => [...this.#causesOf(...range)])) {
        const told = why === 'unexplained' ? cause : why;
        // How many more were captured after the last status nobody can know.
        const events = told === whenHeld ? null : to - from + 1;
        this.#declared.add(from, to);
        this.#gaps.add({ ...nowhere, from, to, cause: told, events, reportedAt: now });
      }
    }
    const streams = this.#streams.closeOutbox();
    if (this.outbox !== null) {
      this.#asleep.unshift({ outbox: this.outbox, outboxFirst: this.#outboxFirst, status, streams });
      this.#asleep.length = Math.min(this.#asleep.length, ASLEEP_KEPT);
    }
    if (status)
      this.#status = { ...status, pendingEvents: 0, pendingBytes: 0, lastMsgId: 0, firstPendingId: null };
  }

  /** An outbox that was thought to be gone speaks again: nothing of it is lost. */
  #wake(outbox: string): void {
    const known = this.#asleep.find((one) => one.outbox === outbox);
    if (!known) return;
    this.#asleep = this.#asleep.filter((one) => one !== known);
    this.#streams.reopenOutbox(known.streams);
    this.#outboxFirst = known.outboxFirst;
    this.#status = known.status;
    for (const gap of this.#gaps) {
      if (gap.cause !== 'outbox_lost' && gap.cause !== 'outbox_restored') continue;
      if (gap.from < (known.outboxFirst ?? 0) || gap.to > (known.status?.lastMsgId ?? 0)) continue;
      gap.events = 0;
      this.#declared.remove(gap.from, gap.to);
      this.#gaps.noteChanged(gap);
    }
  }

  #noteDone(ranges: readonly Range[]): void {
    for (const [from, to] of ranges) {
      this.#noteFirst(from);
      this.pending.remove(from, to);
      this.done.add(from, to);
    }
    if (this.done.size > RANGES_AT_MOST) this.#closeOldHoles(this.outbox ?? '', Number.POSITIVE_INFINITY);
  }

  #noteFirst(number: number): void {
    if (this.#outboxFirst === null || number < this.#outboxFirst) this.#outboxFirst = number;
  }

  /**
   * A number that is done is never stored again, so only holes that the device cannot fill any more are closed: those
   * below what it had given out when it had nothing left to send.
   */
  #closeOldHoles(outbox: string, lastJudgedId: number): void {
    const ranges = [...this.done]
      .slice(0, this.done.size - RANGE_LIMIT / 2)
      .filter(([, to]) => to <= lastJudgedId);
    const [first, last] = [ranges[0], ranges.at(-1)];
    if (!first || !last) return;
    const missing = [...this.#missingOf(outbox, first[0], last[1])];
    const events = missing.reduce((sum, [from, to]) => sum + to - from + 1, 0);
    this.done.add(first[0], last[1]);
    if (events === 0) return;
    this.#gaps.add({
      ...nowhere,
      from: first[0],
      to: last[1],
      cause: 'unexplained',
      events,
      reportedAt: Date.now(),
    });
  }
}

/** Highest number up to which nothing waits on the device any more; null when that cannot be known. */
function lastJudged({ pendingEvents, firstPendingId, lastMsgId }: SavedStatus): number | null {
  if (firstPendingId) return firstPendingId - 1;
  return pendingEvents === 0 ? lastMsgId : null;
}

const noTimes = { firstEventAt: null, lastEventAt: null };
const nowhere = { table: null, source: null, ...noTimes };
const least = (a: number | null, b: number): number => (a === null || b < a ? b : a);
const most = (a: number | null, b: number): number => (a === null || b > a ? b : a);
