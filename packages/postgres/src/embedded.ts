import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { drizzle } from 'drizzle-orm/pglite';
import { migrate } from 'drizzle-orm/pglite/migrator';
import { makeCluster, openCluster, templateFolder } from './cluster.ts';
import type { Log, Postgres } from './connection.ts';
import { lockDataFolder } from './lock.ts';
import { transactionNow } from './together.ts';

/** A text that is a transaction as a whole, and what is in it. */
const TRANSACTION = /^\s*begin;(.*)commit;\s*$/is;

/** An embedded PostgreSQL: every commit is on the disk when it resolves. One process a folder. */
export async function openEmbedded({
  dataDir,
  log,
  prepared = () => null,
}: {
  dataDir: string;
  log: Log;
  prepared?: () => string | null;
}): Promise<Postgres & { readonly syncs: () => number }> {
  const folder = resolve(dataDir);
  const lock = lockDataFolder(folder, 'postgres.lock');
  try {
    const cluster = join(folder, 'cluster');
    if (!existsSync(cluster)) await makeCluster(cluster, prepared() ?? templateFolder());
    const { client, fs } = await openCluster(cluster);
    log.info({ dataDir: folder, engine: 'pglite' }, 'records are open');
    const db = drizzle(client, { casing: 'snake_case' });
    let migrations: Promise<void> = Promise.resolve();
    return {
      engine: 'pglite',
      get db() {
        return (transactionNow() as unknown as typeof db | undefined) ?? db;
      },
      syncs: () => fs.syncs,
      query: async <Row>(text: string, params: unknown[] = []) =>
        (await client.query<Row>(text, params)).rows,
      exec: async (sql) => {
        await client.exec(sql);
      },
      script: async <Row>(sql: string) => {
        // There is one connection: between a failure and a rollback of ours others would find it aborted.
        const body = TRANSACTION.exec(sql)?.[1];
        const results =
          body === undefined
            ? await client.exec(sql)
            : await client.transaction((inside) => inside.exec(body));
        return results.flatMap(({ rows }) => rows as Row[]);
      },
      migrate: (migrationsFolder) => {
        migrations = migrations.catch(() => {}).then(() => migrate(db, { migrationsFolder }));
        return migrations;
      },
      close: async () => {
        await client.close();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw new Error(`The records in ${folder} cannot be opened: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
