import type { Postgres, Transaction } from '@albedo/postgres/postgres';
import { sql } from 'drizzle-orm';
import { type Db, type DrizzleTransactionLike, fromDrizzle } from 'pg-boss';
import { JOBS_SCHEMA } from './jobs.queue.ts';

const JOBS = sql.raw(`${JOBS_SCHEMA}.job`);

/** An attempt, as pg-boss counts them from 0. */
export interface Attempt {
  id: string;
  retryCount: number;
}

/** Has pg-boss speak inside a transaction of ours. */
export const inside = (transaction: Transaction): Db =>
  fromDrizzle(transaction as unknown as DrizzleTransactionLike, sql);

/** The few questions to pg-boss's table that pg-boss itself does not answer. */
export class JobsStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  /** How many jobs there are, by queue and state as pg-boss calls it; `job` is what a dead one was. */
  counts(): Promise<{ name: string; job: string | null; state: string; jobs: number }[]> {
    return this.#postgres.query(
      `select name, source_name as job, state::text, count(*)::int as jobs
        from ${JOBS_SCHEMA}.job group by name, source_name, state`,
    );
  }

  /**
   * The turn of the next job of somebody: one after the last of theirs that waits, and never before the turn that it is
   * now. So who sends many waits behind themselves alone, and who waits long is never passed by newcomers for ever.
   */
  async turnOf(name: string, of: string, inside?: Transaction): Promise<number> {
    const isDue = sql`state < 'active' and start_after <= now()`;
    const own = sql`select max(-priority) + 1 from ${JOBS} where name = ${name} and group_id = ${of} and ${isDue}`;
    const now = sql`select min(-priority) from ${JOBS} where name = ${name} and (state = 'active' or ${isDue})`;
    const asked = await (inside ?? this.#postgres.db).execute(
      sql`select greatest((${own}), (${now}), 0)::int as turn`,
    );
    return (asked as unknown as { rows: { turn: number }[] }).rows[0]?.turn ?? 0;
  }

  /** What is marked as running. */
  async running(name: string): Promise<Attempt[]> {
    return this.#postgres.query(
      `select id, retry_count as "retryCount" from ${JOBS_SCHEMA}.job where name = $1 and state = 'active'`,
      [name],
    );
  }

  /** The attempt that runs is the last one, whatever the queue allows. */
  async forbidRetry({ id, retryCount }: Attempt, in_: Transaction): Promise<void> {
    await in_.execute(
      sql`update ${JOBS} set retry_limit = retry_count where id = ${id} and retry_count = ${retryCount} and state = 'active'`,
    );
  }

  /** A run that broke off waits again, as if it had not begun. */
  async putBack(name: string, { id, retryCount }: Attempt): Promise<void> {
    await this.#postgres.query(
      `update ${JOBS_SCHEMA}.job set state = 'created', started_on = null, heartbeat_on = null
        where name = $1 and id = $2 and retry_count = $3 and state = 'active'`,
      [name, id, retryCount],
    );
  }
}
