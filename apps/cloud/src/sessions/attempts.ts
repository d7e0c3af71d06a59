import type { Postgres } from '@albedo/postgres/postgres';
import { inArray, lt, sql } from 'drizzle-orm';
import { hashOf } from '../accounts/link-token.ts';
import { AppError } from '../http/app-error.ts';
import { attempts } from './attempts.tables.ts';

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
  readonly #postgres: Postgres;
  #untilSweep = SWEEP_EVERY;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
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
    // In one order everywhere, so that two processes never wait for each other's rows.
    const values = [...limits]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, { windowMs }]) => ({
        key,
        count: 1,
        endsAt: sql`now() + make_interval(secs => ${windowMs / 1000})`,
      }));
    const isOver = sql`${attempts.endsAt} <= now()`;
    const rows = await this.#postgres.db
      .insert(attempts)
      .values(values)
      .onConflictDoUpdate({
        target: attempts.key,
        set: {
          count: sql`case when ${isOver} then 1 else ${attempts.count} + 1 end`,
          endsAt: sql`case when ${isOver} then excluded.ends_at else ${attempts.endsAt} end`,
        },
      })
      .returning({
        key: attempts.key,
        count: attempts.count,
        leftMs: sql<number>`(extract(epoch from ${attempts.endsAt} - now()) * 1000)::float8`,
      });
    const waits = rows.map(({ key, count, leftMs }) =>
      count > (limits.get(key)?.limit ?? 0) ? Math.max(1, leftMs) : 0,
    );
    return Math.max(...waits);
  }

  /** It was right: all that was counted for it is forgotten. */
  async forget(...done: [Attempt, ...Attempt[]]): Promise<void> {
    await this.#postgres.db.delete(attempts).where(inArray(attempts.key, done.map(keyOf)));
  }

  /** It was no guess: one less is counted. */
  async giveBack(attempt: Attempt): Promise<void> {
    await this.#postgres.db
      .update(attempts)
      .set({ count: sql`${attempts.count} - 1` })
      .where(sql`${attempts.key} = ${keyOf(attempt)} and ${attempts.count} > 0`);
  }

  async #sweep(): Promise<void> {
    this.#untilSweep = SWEEP_EVERY;
    await this.#postgres.db.delete(attempts).where(lt(attempts.endsAt, sql`now()`));
  }
}

/** Short whatever it concerns, and no list of addresses for whoever reads the table. */
const keyOf = ([{ name }, key]: Attempt): string => `${name} ${hashOf(key)}`;
