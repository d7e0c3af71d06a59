import type { Value } from './conditions.ts';

/** Durations of an alert, ms. */
export interface Durations {
  /** So long without a break before it fires. */
  forMs: number;
  /** So long clear before it has returned. */
  clearMs: number;
  /** A series that says nothing for so long is unknown. */
  staleMs: number;
}

/** What happened to one subject of an alert; `at` is the instant of the data. */
export type Ruling =
  | { kind: 'fire'; at: number; since: number; value: Value }
  | { kind: 'return'; at: number; value: Value }
  | { kind: 'unknown'; at: number }
  | { kind: 'known'; at: number; value: Value };

type Phase = 'clear' | 'pending' | 'firing' | 'clearing';

/**
 * One alert over one subject, from observations in the order of their time; the same for what arrives now and for what is
 * read again in a test on history, so that both fire at the same instants.
 *
 * It fires once it held for `forMs`, without an observation between that says otherwise and without a pause after which
 * nothing is known. A series that vanishes never clears anything: it is unknown until it says something.
 */
export class Judge {
  readonly #durations: Durations;
  #phase: Phase;
  #since = 0;
  #lastAt = Number.NEGATIVE_INFINITY;
  #value: Value = null;
  #isUnknown = false;

  constructor(durations: Durations, { isFiring = false, isUnknown = false } = {}) {
    this.#durations = durations;
    this.#phase = isFiring ? 'firing' : 'clear';
    this.#isUnknown = isUnknown;
  }

  get lastAt(): number {
    return this.#lastAt;
  }

  /** Neither fires nor waits to: one that is made anew would say the same. */
  get isIdle(): boolean {
    return this.#phase === 'clear' && !this.#isUnknown;
  }

  get isFiring(): boolean {
    return this.#phase === 'firing' || this.#phase === 'clearing';
  }

  /**
   * `holds`: what fires it; `isClear`: what clears it, where that is something else. Null says nothing about it. One that
   * is older than the last one changes nothing: `late`.
   */
  observe(
    at: number,
    holds: boolean | null,
    value: Value,
    isClear: boolean | null = holds === null ? null : !holds,
  ): Ruling[] | 'late' {
    if (at < this.#lastAt) return 'late';
    const rulings = this.tick(at);
    if (holds === null && isClear === null) return rulings;
    this.#lastAt = at;
    this.#value = value;
    if (this.#isUnknown && this.isFiring) {
      this.#isUnknown = false;
      rulings.push({ kind: 'known', at, value });
    }
    this.#move(at, holds === true, isClear === true);
    return [...rulings, ...this.tick(at)];
  }

  #move(at: number, holds: boolean, isClear: boolean): void {
    if (this.isFiring) {
      if (!isClear) this.#phase = 'firing';
      else if (this.#phase === 'firing') {
        this.#phase = 'clearing';
        this.#since = at;
      }
      return;
    }
    if (!holds) this.#phase = 'clear';
    else if (this.#phase === 'clear') {
      this.#phase = 'pending';
      this.#since = at;
    }
  }

  /** What follows from the time alone, until `now`. */
  tick(now: number): Ruling[] {
    const { forMs, clearMs, staleMs } = this.#durations;
    const until = this.#lastAt + staleMs;
    const due = this.#since + (this.#phase === 'pending' ? forMs : clearMs);
    if (this.#phase === 'pending') {
      if (due <= now && due <= until) {
        const since = this.#since;
        this.#phase = 'firing';
        return [{ kind: 'fire', at: due, since, value: this.#value }, ...this.#vanished(now, until)];
      }
      // What was said last is too long ago to hold.
      if (now > until) this.#phase = 'clear';
      return [];
    }
    if (this.#phase === 'clearing' && due <= now && due <= until) {
      this.#phase = 'clear';
      return [{ kind: 'return', at: due, value: this.#value }];
    }
    return this.isFiring ? this.#vanished(now, until) : [];
  }

  #vanished(now: number, until: number): Ruling[] {
    if (this.#isUnknown || now <= until || !Number.isFinite(until)) return [];
    this.#isUnknown = true;
    this.#phase = 'firing';
    return [{ kind: 'unknown', at: until }];
  }
}
