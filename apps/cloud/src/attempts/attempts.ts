import { AppError } from '../errors/app-error.ts';
import { hashOf } from '../secrets/link-token.ts';
import type { AttemptsStore } from './attempts.store.ts';

/** How many attempts one key has in a window of time, ms, that begins with the first of them. */
export interface Limit {
  readonly name: string;
  readonly limit: number;
  readonly windowMs: number;
}

/** What is limited, and whom or what the attempt concerns: a user's id, an e-mail address, a client address. */
export type Attempt = readonly [limit: Limit, key: string];

/** Rows of windows that are over go with every so many attempts. */
const SWEEP_EVERY = 500;

/**
 * Counts attempts that may be guesses, in the database, so that all processes together allow no more than one would.
 *
 * An attempt is counted before it is checked, in one statement, so that attempts side by side are counted too. Attempts
 * above the limit do not make the window longer.
 */
export class Attempts {
  readonly #store: AttemptsStore;
  #untilSweep = SWEEP_EVERY;

  constructor(store: AttemptsStore) {
    this.#store = store;
  }

  /** Counts one more of each. Throws `request.too_many` when one of them has none left. */
  async take(...taken: [Attempt, ...Attempt[]]): Promise<void> {
    const waitMs = await this.count(...taken);
    if (waitMs > 0) throw new AppError('request.too_many', { retryAfterS: waitMs / 1000 });
  }

  /** Counts one more of each; answers how long to wait, ms, and 0 when none is above its limit. */
  async count(...taken: [Attempt, ...Attempt[]]): Promise<number> {
    if (--this.#untilSweep <= 0) await this.#sweep();
    const limits = new Map(taken.map((one) => [keyOf(one), one[0]]));
    const keys = [...limits].map(([key, { windowMs }]) => ({ key, windowMs }));
    const rows = await this.#store.add(keys);
    const waits = rows.map(({ key, count, leftMs }) =>
      count > (limits.get(key)?.limit ?? 0) ? Math.max(1, leftMs) : 0,
    );
    return Math.max(...waits);
  }

  /** It was right: all that was counted for it is forgotten. */
  async forget(...done: [Attempt, ...Attempt[]]): Promise<void> {
    await this.#store.remove(done.map(keyOf));
  }

  /** It was no guess: one less is counted. */
  async giveBack(attempt: Attempt): Promise<void> {
    await this.#store.takeOne(keyOf(attempt));
  }

  async #sweep(): Promise<void> {
    this.#untilSweep = SWEEP_EVERY;
    await this.#store.sweep();
  }
}

/** Short whatever it concerns, and no list of addresses for whoever reads the table. */
const keyOf = ([{ name }, key]: Attempt): string => `${name} ${hashOf(key)}`;
