import { setTimeout as sleep } from 'node:timers/promises';
import { SHARDS, shardOf } from '@albedo/contract/link/link.topics';
import type { Logger } from 'pino';
import type { Held, ShardsStore, View } from './shards.store.ts';

export type { Held } from './shards.store.ts';

/** Since when this process has had a device, without a break: what began in one tenure does not end in another. */
export interface Tenure {
  /** Null when this process does not have the device. */
  of(device: string): number | null;
}

/** For a process that shares its devices with nobody. */
export const EVERY_DEVICE: Tenure = { of: () => 0 };

/** What is done with shards that come and go. */
export interface ShardWork {
  /** Connects under the name of this place. Called again when the place has changed. */
  connect(place: number): Promise<void>;
  /** False while nothing can be heard of devices. */
  isConnected(): boolean;
  /** Reads what is known of the devices; nothing of them is heard yet. */
  load(held: readonly Held[]): Promise<void>;
  /** Hears the devices from here on. */
  open(shards: readonly string[]): Promise<void>;
  /** Hears no more of the devices; resolves when what was heard is dealt with and saved. */
  close(shards: readonly string[]): Promise<void>;
  /** Another process has them, or may have: nothing of them is written any more. */
  drop(shards: readonly string[]): void;
}

export interface ShardsOptions {
  store: ShardsStore;
  log: Logger;
  /** Called when shards became free, or more processes want some. */
  onChange: () => void;
  ttlMs?: number;
}

/** A process that is not heard of for so long has ended. */
const TTL_MS = 2500;
const RENEWALS = 7;
/** Shards given to another process at once; their devices stand still for a moment, the others do not. */
const AT_ONCE = 16;
/** Shards that nobody takes for so long are taken beyond the own share. */
const LEFT_MS = 2500;
/** A process that hears nothing from the broker for so long leaves its devices to the others. */
const DEAF_MS = 2000;
const RETRY_MS = 2000;

/**
 * The shards of the device link that this process has, of several that share them.
 *
 * A lease in PostgreSQL says who is alive; each process aims for an equal share. A process trusts its lease by its own
 * clocks only as long as the database cannot have given the shards to another one, and never again after that: it
 * forgets everything it had and begins anew. Whoever writes for a device asks `of` before, and again after anything
 * that took time; what could still come late is refused by the store, which knows the newest token of each shard.
 */
export class Shards implements Tenure {
  readonly #options: ShardsOptions;
  readonly #ttlMs: number;
  readonly #tokens = new Map<string, number>();
  #work: ShardWork = NO_WORK;
  readonly #ended = new AbortController();
  #isStopping = false;
  #id = '';
  #place = 0;
  #validUntil: Instant = { wall: 0, clock: 0 };
  #isLost = true;
  #joinAt = 0;
  #view: View | null = null;
  #leftSince: number | null = null;
  #deafSince: number | null = null;
  #wake: (() => void) | null = null;
  #soon: (() => void) | null = null;
  #renewing: Promise<void> = Promise.resolve();
  #balancing: Promise<void> = Promise.resolve();

  constructor(options: ShardsOptions) {
    this.#options = options;
    this.#ttlMs = options.ttlMs ?? TTL_MS;
  }

  of(device: string): number | null {
    return this.#isOver() ? null : (this.#tokens.get(shardOf(device)) ?? null);
  }

  /** Number of shards that this process has. */
  get size(): number {
    return this.#isOver() ? 0 : this.#tokens.size;
  }

  /** Rejects when the database or the broker cannot be used. Shards come once the others have let go of them. */
  async start(work: ShardWork): Promise<void> {
    this.#work = work;
    await this.#options.store.prepare();
    await this.#join();
    this.#renewing = this.#renewals();
    this.#balancing = this.#balance();
  }

  /** Looks at once whether there are shards to take or to give. */
  hurry(): void {
    this.#soon?.();
  }

  /** Hands everything over. */
  async stop(): Promise<void> {
    const { log } = this.#options;
    this.#isStopping = true;
    this.#wake?.();
    await this.#balancing;
    if (!this.#isOver()) {
      await this.#give([...this.#tokens.keys()]).catch((err) => {
        log.warn({ err }, 'shards of the device link could not be handed over; their lease expires');
      });
    }
    this.#ended.abort();
    this.#soon?.();
    await this.#renewing;
    await this.#leave();
  }

  /** The store says that another process has taken these. */
  lost(shards: readonly string[]): void {
    for (const shard of shards) this.#tokens.delete(shard);
    this.#work.drop(shards);
  }

  /** Once it is over it stays so, whatever a renewal says that was under way. */
  #isOver(): boolean {
    // A machine that was asleep shows it on one of the two clocks.
    const { wall, clock } = this.#validUntil;
    if (Date.now() >= wall || performance.now() >= clock) this.#isLost = true;
    return this.#isLost;
  }

  #extend(since: Instant): void {
    this.#validUntil = { wall: since.wall + this.#ttlMs, clock: since.clock + this.#ttlMs };
  }

  async #join(): Promise<void> {
    const { store, log, onChange } = this.#options;
    this.#id = crypto.randomUUID();
    const since = now();
    const place = await store.join(this.#id, this.#ttlMs, this.#place || 1);
    if (place === null) throw new Error('as many processes as can share a broker speak with devices already');
    if (place !== this.#place) {
      // Until it is connected it has no place.
      this.#place = 0;
      await this.#work.connect(place);
    }
    this.#place = place;
    this.#view = null;
    this.#extend(since);
    this.#isLost = false;
    log.info({ place }, 'this process shares the devices of the broker with the others');
    onChange();
  }

  /** Ends the lease, so that the others need not wait until it expires. */
  async #leave(): Promise<void> {
    const { store, log, onChange } = this.#options;
    this.#isLost = true;
    this.#loseAll();
    await store.leave(this.#id).catch((err) => {
      log.warn({ err }, 'the lease of the shards could not be ended; it expires');
    });
    onChange();
  }

  #loseAll(): void {
    if (this.#tokens.size > 0) this.lost([...this.#tokens.keys()]);
  }

  async #renewals(): Promise<void> {
    const { signal } = this.#ended;
    while (!signal.aborted) {
      if (!this.#isOver()) await this.#renew();
      else await this.#beginAnew();
      if (signal.aborted) return;
      await new Promise<void>((done) => {
        const timer = setTimeout(done, this.#ttlMs / RENEWALS);
        this.#soon = () => {
          clearTimeout(timer);
          done();
        };
      });
    }
  }

  async #renew(): Promise<void> {
    const { store, log } = this.#options;
    const since = now();
    try {
      const view = await store.renew(this.#id, this.#ttlMs);
      if (view.isAlive && !this.#isOver()) this.#extend(since);
      else this.#isLost = true;
      this.#view = view;
    } catch (err) {
      log.warn({ err }, 'the lease of the shards could not be renewed');
    }
    this.#wake?.();
  }

  async #beginAnew(): Promise<void> {
    const { log } = this.#options;
    if (this.#tokens.size > 0) {
      log.warn({ shards: this.#tokens.size }, 'the lease of the shards has ended; other processes take them');
      this.#loseAll();
    }
    const canHear = this.#place === 0 || this.#work.isConnected();
    if (this.#isStopping || !canHear || performance.now() < this.#joinAt) return;
    await this.#join().catch((err) => {
      log.error({ err }, 'no shards of the device link can be taken; it is tried again');
      this.#joinAt = performance.now() + RETRY_MS;
    });
  }

  async #balance(): Promise<void> {
    while (!this.#isStopping) {
      await new Promise<void>((wake) => {
        this.#wake = wake;
      });
      this.#wake = null;
      if (this.#isStopping || this.#isOver()) continue;
      try {
        await this.#step();
      } catch (err) {
        this.#options.log.error({ err }, 'shards could not be taken or given; it is tried again');
        // One that can do nothing stands in nobody's way.
        if (this.#tokens.size === 0) {
          this.#joinAt = performance.now() + 5 * RETRY_MS;
          await this.#leave();
        } else await sleep(RETRY_MS, undefined, { signal: this.#ended.signal }).catch(() => {});
      }
    }
  }

  async #step(): Promise<void> {
    const view = this.#view;
    if (!view) return;
    // Each look answers one step: what was seen before it is old.
    this.#view = null;
    const own = this.#tokens.size;
    if (this.#isDeaf() && view.processes > 1) {
      this.#options.log.warn({ shards: own }, 'the broker is away for this process; others take its shards');
      if (own > 0) await this.#give([...this.#tokens.keys()]);
      await this.#leave();
      return;
    }
    const share = Math.ceil(SHARDS.length / Math.max(1, view.processes));
    if (own > share && view.free === 0) {
      await this.#give([...this.#tokens.keys()].slice(0, Math.min(AT_ONCE, own - share)));
      return;
    }
    this.#leftSince = view.free > 0 ? (this.#leftSince ?? performance.now()) : null;
    const isLeft = this.#leftSince !== null && performance.now() - this.#leftSince > LEFT_MS;
    const wanted = isLeft ? view.free : Math.min(view.free, share - own);
    if (wanted > 0) await this.#take(wanted);
  }

  #isDeaf(): boolean {
    if (this.#work.isConnected()) this.#deafSince = null;
    else this.#deafSince ??= performance.now();
    return this.#deafSince !== null && performance.now() - this.#deafSince > DEAF_MS;
  }

  async #take(count: number): Promise<void> {
    const { store, log } = this.#options;
    const id = this.#id;
    const began = performance.now();
    const held = await store.take(id, count);
    if (held.length === 0) return;
    const shards = held.map(({ shard }) => shard);
    try {
      await this.#work.load(held);
      if (this.#isOver() || this.#id !== id) throw new Error('the lease ended meanwhile');
      for (const { shard, token } of held) this.#tokens.set(shard, token);
      await this.#work.open(shards);
    } catch (error) {
      this.lost(shards);
      await store.release(id, shards).catch(() => {}); // Then they are free when the lease expires.
      throw error;
    }
    this.#leftSince = null;
    const ms = Math.round(performance.now() - began);
    log.info({ taken: held.length, shards: this.#tokens.size, ms }, 'shards of the device link were taken');
  }

  async #give(shards: readonly string[]): Promise<void> {
    const { store, log, onChange } = this.#options;
    const id = this.#id;
    await this.#work.close(shards);
    for (const shard of shards) this.#tokens.delete(shard);
    this.#work.drop(shards);
    await store.release(id, shards);
    log.info(
      { given: shards.length, shards: this.#tokens.size },
      'shards of the device link were given away',
    );
    onChange();
  }
}

const NO_WORK: ShardWork = {
  connect: async () => {},
  isConnected: () => false,
  load: async () => {},
  open: async () => {},
  close: async () => {},
  drop: () => {},
};

interface Instant {
  wall: number;
  clock: number;
}

const now = (): Instant => ({ wall: Date.now(), clock: performance.now() });
