import { sql } from 'drizzle-orm';
import type { Postgres } from './connection.ts';

/** Runs tasks one after the other, over all processes that share the database and the number of the lock. */
export function exclusivelyOver(postgres: Postgres, lock: number): <T>(task: () => Promise<T>) => Promise<T> {
  return (task) =>
    postgres.db.transaction(async (transaction) => {
      await transaction.execute(sql`select pg_advisory_xact_lock(${lock})`);
      return task();
    });
}
