import {
  type AckMessage,
  ackMessage,
  type DeclaredGap,
  type EpochGrant,
  LINK_LIMITS,
} from '@albedo/contract/link/link.messages';
import { LIVE_MS } from '../captures/follower.ts';
import { type Log, messageOf } from '../log.ts';
import type { StoredEvent } from '../outbox/outbox.events.ts';
import type { Outbox } from '../outbox/outbox.ts';
import { encodeBatch } from './batch.ts';

type Lane = 'live' | 'backfill';

/** A batch that was sent and is not acknowledged yet, kept as it was so that sending it again is the same batch. */
interface Flight {
  lane: Lane;
  ids: Set<number>;
  gaps: Set<number>;
  payload: Buffer;
  sentAt: number;
  timeoutMs: number;
}

export interface SenderOptions {
  outbox: Outbox;
  publish: (payload: Buffer) => boolean;
  log: Log;
  /** Called when the outbox got an epoch from the cloud, since its numbers belong to another one. */
  onRenumbered?: (isCopy: boolean) => void;
  /** Called when another process of the cloud begins to listen; batches are sent again by themselves. */
  onNewListener?: () => void;
  /** How long to wait for an acknowledgement before a batch is sent again, ms. */
  ackTimeoutMs?: number;
}

/** Batches of each lane that may be on their way at once. */
const WINDOW: Record<Lane, number> = { live: 4, backfill: 2 };
const BACKFILL_EVENTS = 2000;
const BATCH_BYTES = LINK_LIMITS.batchBytes / 4;
/** Live events that wait in memory; what is beyond travels as back-fill. */
const LIVE_QUEUE = 20_000;
const LIVE_QUEUE_BYTES = 4 * 1024 * 1024;
const MAX_TIMEOUT_MS = 300_000;
const MAX_GAPS = 1000;
const GIVE_WAY_MS = 20;
/** Live batches follow each other no faster than this, so that many streams share one, ms. */
const LIVE_SPACING_MS = 450;

/**
 * Brings the outbox to the cloud. Live events (captured since the connection began, younger than ten minutes) go as
 * soon as they are on disk; everything else is back-fill, newest first, in a lane of its own with a window of its own.
 *
 * An event leaves the outbox only when the cloud acknowledges it; until then its batch is sent again after a timeout
 * and after every reconnection.
 */
export class Sender {
  readonly #options: SenderOptions;
  readonly #ackTimeoutMs: number;
  readonly #flights = new Set<Flight>();
  /** Events that must not be picked as back-fill: in the live queue, on their way, or acknowledged but still on disk. */
  readonly #taken = new Set<number>();
  readonly #gapsTaken = new Set<number>();
  #live: StoredEvent[] = [];
  #liveBytes = 0;
  #isOnline = false;
  #pausedUntil = 0;
  #below: { eventAt: number; id: number } | null = null;
  #isBackfillEmpty = false;
  readonly #isBuilding: Record<Lane, boolean> = { live: false, backfill: false };
  #liveSentAt = Number.NEGATIVE_INFINITY;
  #liveTimer: NodeJS.Timeout | null = null;
  #timer: NodeJS.Timeout | null = null;
  #pauseTimer: NodeJS.Timeout | null = null;

  constructor(options: SenderOptions) {
    this.#options = options;
    this.#ackTimeoutMs = options.ackTimeoutMs ?? 30_000;
  }

  start(): void {
    const { outbox } = this.#options;
    outbox.onCommitted = (events) => this.#committed(events);
    outbox.isPinned = (id) => this.#taken.has(id) || this.#gapsTaken.has(id);
    this.#timer = setInterval(() => this.#look(), Math.min(5000, this.#ackTimeoutMs / 2));
  }

  stop(): void {
    this.offline();
    if (this.#timer) clearInterval(this.#timer);
    if (this.#pauseTimer) clearTimeout(this.#pauseTimer);
    if (this.#liveTimer) clearTimeout(this.#liveTimer);
  }

  /** The connection is there: what was on its way goes again, then the rest. */
  online(): void {
    this.#isOnline = true;
    this.#pausedUntil = 0;
    this.#startOver();
    for (const flight of this.#flights) this.#send(flight);
    this.#pump();
  }

  offline(): void {
    this.#isOnline = false;
    for (const event of this.#live) this.#taken.delete(event.id);
    this.#live = [];
    this.#liveBytes = 0;
    this.#startOver();
  }

  /** A new outbox: nothing of the old one is on its way any more. */
  reset(): void {
    this.#flights.clear();
    this.#taken.clear();
    this.#gapsTaken.clear();
    this.#live = [];
    this.#liveBytes = 0;
    this.#startOver();
  }

  acknowledged(payload: Buffer): void {
    let ack: AckMessage;
    try {
      ack = ackMessage.parse(JSON.parse(payload.toString()));
    } catch (error) {
      this.#options.log.error(`link: an acknowledgement cannot be read: ${messageOf(error)}`);
      return;
    }
    const { outbox } = this.#options;
    if (ack.pauseMs !== undefined) this.#pause(ack.pauseMs);
    if (ack.isNewListener) this.#options.onNewListener?.();
    if (ack.grant) this.#renumber(ack.grant);
    const { name, epochs } = outbox.facts;
    // A copy of this outbox on another machine has events of its own under the same numbers.
    if (ack.outbox !== name || (ack.epoch && ack.epoch !== epochs.at(-1)?.[0])) return;
    const ranges = ack.ranges.filter(([from, to]) => from <= to).sort((a, b) => a[0] - b[0]);
    const done = this.#land(ranges, ack.gaps);
    outbox.acknowledge({
      epoch: ack.epoch ?? null,
      ranges,
      gaps: ack.gaps,
      onForgotten: () => {
        for (const id of done) this.#taken.delete(id);
        for (const first of ack.gaps) this.#gapsTaken.delete(first);
      },
    });
    this.#pump();
  }

  /** What is on its way was not taken, and goes again under its new numbers. */
  #renumber(grant: EpochGrant): void {
    const { outbox, log, onRenumbered } = this.#options;
    const { name } = outbox.facts;
    if (!outbox.renumber(grant)) return;
    const isCopy = outbox.facts.name !== name;
    log.warn('link: the cloud gave this outbox new numbers: those it had belong to another state of it');
    this.reset();
    onRenumbered?.(isCopy);
    this.#pump();
  }

  #land(ranges: [number, number][], gaps: number[]): number[] {
    const done: number[] = [];
    for (const flight of this.#flights) {
      for (const id of flight.ids) {
        if (!isWithin(id, ranges)) continue;
        flight.ids.delete(id);
        done.push(id);
      }
      for (const first of gaps) flight.gaps.delete(first);
      if (flight.ids.size === 0 && flight.gaps.size === 0) this.#flights.delete(flight);
    }
    return done;
  }

  #committed(events: StoredEvent[]): void {
    const now = Date.now();
    for (const event of events) {
      const isLive = this.#isOnline && Math.abs(now - event.eventAt) < LIVE_MS && this.#hasLiveRoom();
      if (isLive) {
        this.#live.push(event);
        this.#liveBytes += event.size;
        this.#taken.add(event.id);
      } else this.#noteBackfill(event);
    }
    this.#pump();
  }

  #hasLiveRoom(): boolean {
    return this.#live.length < LIVE_QUEUE && this.#liveBytes < LIVE_QUEUE_BYTES;
  }

  #noteBackfill({ eventAt, id }: StoredEvent): void {
    this.#isBackfillEmpty = false;
    const below = this.#below;
    if (below && (eventAt > below.eventAt || (eventAt === below.eventAt && id > below.id)))
      this.#below = null;
  }

  #startOver(): void {
    this.#below = null;
    this.#isBackfillEmpty = false;
  }

  #pause(pauseMs: number): void {
    this.#pausedUntil = performance.now() + pauseMs;
    if (this.#pauseTimer) clearTimeout(this.#pauseTimer);
    this.#pauseTimer = setTimeout(() => this.#resume(), pauseMs + 5);
  }

  /** The cloud took nothing of what it answered with a pause; what it did take it knows as a repeat. */
  #resume(): void {
    for (const flight of this.#flights) this.#send(flight);
    this.#pump();
  }

  #pump(): void {
    const early = this.#liveSentAt + LIVE_SPACING_MS - performance.now();
    if (early <= 0) void this.#fill('live');
    else if (this.#live.length > 0) this.#liveTimer ??= setTimeout(() => this.#liveDue(), early);
    void this.#fill('backfill');
  }

  #liveDue(): void {
    this.#liveTimer = null;
    void this.#fill('live');
  }

  #mayFly(lane: Lane): boolean {
    if (!this.#isOnline || performance.now() < this.#pausedUntil) return false;
    let flying = 0;
    for (const flight of this.#flights) if (flight.lane === lane) flying++;
    return flying < WINDOW[lane];
  }

  async #fill(lane: Lane): Promise<void> {
    if (this.#isBuilding[lane]) return;
    this.#isBuilding[lane] = true;
    try {
      while (this.#mayFly(lane)) {
        const events = lane === 'live' ? this.#takeLive() : this.#takeBackfill();
        const gaps = this.#takeGaps();
        if (events.length === 0 && gaps.length === 0) break;
        await this.#launch(lane, events, gaps);
        // Building large batches one after the other would hold up what happens now.
        if (lane === 'backfill') await new Promise((done) => setTimeout(done, GIVE_WAY_MS));
      }
    } catch (error) {
      this.#options.log.error(`link: a batch cannot be made: ${messageOf(error)}`);
    }
    this.#isBuilding[lane] = false;
  }

  async #launch(lane: Lane, events: StoredEvent[], gaps: DeclaredGap[]): Promise<void> {
    const { outbox, log } = this.#options;
    const { name, epochs } = outbox.claim();
    const { ackedId, ackedEpoch, epochs: now } = outbox.facts;
    const epoch = now.at(-1)?.[0];
    const payload = await encodeBatch({ name, epochs, ackedId, ackedEpoch }, events, gaps);
    if (outbox.facts.name !== name || outbox.facts.epochs.at(-1)?.[0] !== epoch) return;
    if (payload) {
      const ids = new Set(events.map((one) => one.id));
      const firsts = new Set(gaps.map((one) => one.from));
      const flight = { lane, ids, gaps: firsts, payload, sentAt: 0, timeoutMs: this.#ackTimeoutMs };
      this.#flights.add(flight);
      this.#send(flight);
      return;
    }
    if (events.length <= 1) {
      log.error(`link: event ${events[0]?.id} is larger than a message may be and stays in the outbox`);
      for (const gap of gaps) this.#gapsTaken.delete(gap.from);
      return;
    }
    const half = Math.ceil(events.length / 2);
    await this.#launch(lane, events.slice(0, half), gaps);
    await this.#launch(lane, events.slice(half), []);
  }

  #send(flight: Flight): void {
    if (!this.#isOnline || !this.#options.publish(flight.payload)) return;
    flight.sentAt = performance.now();
    if (flight.lane === 'live') this.#liveSentAt = flight.sentAt;
  }

  /** Sends batches again that went unacknowledged for too long, the oldest first. */
  #look(): void {
    const now = performance.now();
    if (!this.#isOnline || now < this.#pausedUntil) return;
    for (const flight of this.#flights) {
      if (now - flight.sentAt < flight.timeoutMs) continue;
      flight.timeoutMs = Math.min(flight.timeoutMs * 2, MAX_TIMEOUT_MS);
      this.#options.log.warn('link: a batch is not acknowledged and is sent again');
      this.#send(flight);
    }
    this.#pump();
  }

  #takeLive(): StoredEvent[] {
    let bytes = 0;
    let count = 0;
    for (const event of this.#live) {
      bytes += event.size;
      if (count > 0 && (bytes > BATCH_BYTES || count >= LINK_LIMITS.batchEvents)) break;
      count++;
    }
    const events = this.#live.splice(0, count);
    for (const event of events) this.#liveBytes -= event.size;
    return events;
  }

  #takeBackfill(): StoredEvent[] {
    if (this.#isBackfillEmpty) return [];
    const limits = { events: BACKFILL_EVENTS, bytes: BATCH_BYTES };
    const events = this.#options.outbox.newest(limits, this.#below, (id) => this.#taken.has(id));
    const last = events.at(-1);
    if (last) this.#below = { eventAt: last.eventAt, id: last.id };
    else this.#isBackfillEmpty = true;
    for (const event of events) this.#taken.add(event.id);
    return events;
  }

  #takeGaps(): DeclaredGap[] {
    const gaps = this.#options.outbox.gaps(MAX_GAPS).filter((gap) => !this.#gapsTaken.has(gap.from));
    for (const gap of gaps) this.#gapsTaken.add(gap.from);
    return gaps;
  }
}

/** Whether a number lies in one of the sorted ranges, both ends included. */
function isWithin(id: number, ranges: [number, number][]): boolean {
  let low = 0;
  let high = ranges.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const [from, to] = ranges[middle] as [number, number];
    if (id < from) high = middle - 1;
    else if (id > to) low = middle + 1;
    else return true;
  }
  return false;
}
