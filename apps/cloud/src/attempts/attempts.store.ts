import type { Postgres } from '@albedo/postgres/postgres';
import { inArray, lt, sql } from 'drizzle-orm';
import { attempts } from './attempts.tables.ts';

/** How often one key was tried in its window of time, and what is left of that, ms. */
interface Counted {
  key: string;
  count: number;
  leftMs: number;
}

/** Counted attempts by key, in SQL. */
export class AttemptsStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  /** Counts one more of each key in one statement; a window that is over starts again. */
  async add(keys: readonly { key: string; windowMs: number }[]): Promise<Counted[]> {
    // In one order everywhere, so that two processes never wait for each other's rows.
    const values = keys
      .toSorted((a, b) => (a.key < b.key ? -1 : 1))
      .map(({ key, windowMs }) => ({
        key,
        count: 1,
        endsAt: sql`now() + make_interval(secs => ${windowMs / 1000})`,
      }));
    const isOver = sql`${attempts.endsAt} <= now()`;
    return this.#postgres.db
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
  }

  async remove(keys: string[]): Promise<void> {
    await this.#postgres.db.delete(attempts).where(inArray(attempts.key, keys));
  }

  async takeOne(key: string): Promise<void> {
    await this.#postgres.db
      .update(attempts)
      .set({ count: sql`${attempts.count} - 1` })
      .where(sql`${attempts.key} = ${key} and ${attempts.count} > 0`);
  }

  /** Rows of windows that are over go. */
  async sweep(): Promise<void> {
    await this.#postgres.db.delete(attempts).where(lt(attempts.endsAt, sql`now()`));
  }
}
