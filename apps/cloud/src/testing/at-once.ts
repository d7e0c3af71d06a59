import { sql } from 'drizzle-orm';
import type { Reply, TestCloud } from './test-cloud.ts';
import { until } from './two-clouds.ts';

export type Ask = [method: string, path: string, body?: object, token?: string];

/**
 * Sends requests that all have looked at what is there before any of them writes: the table is held until they wait for it,
 * or for one another. Only a PostgreSQL server shows it. Answers in order of the status.
 */
export async function atOnce(
  cloud: TestCloud,
  owner: string,
  table: string,
  ...asks: Ask[]
): Promise<Reply[]> {
  const { postgres } = cloud.cloud.features;
  const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  let replies: Promise<Reply>[] = [];
  await postgres.db.transaction(async (transaction) => {
    await transaction.execute(sql.raw(`lock table ${table} in share mode`));
    replies = asks.map(([method, path, body, token = owner]) => cloud.call(method, path, { token, body }));
    await until(async () => (await postgres.query(waiting)).length >= asks.length);
  });
  return (await Promise.all(replies)).toSorted((a, b) => a.status - b.status);
}
