import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { drizzle } from 'drizzle-orm/pglite';
import { migrate } from 'drizzle-orm/pglite/migrator';
import type { Log, Postgres } from './connection.ts';
import { DurableFS, syncTree } from './durable-fs.ts';
import { lockDataFolder } from './lock.ts';

/** PGlite starts with `-F` (no fsync) of its own accord. */
const START_PARAMS = [
  ...PGlite.defaultStartParams.filter((param) => param !== '-F'),
  '-c',
  'fsync=on',
  '-c',
  'synchronous_commit=on',
  '-c',
  'wal_sync_method=fsync',
];

/** An embedded PostgreSQL: every commit is on the disk when it resolves. One process a folder. */
export async function openEmbedded(
  dataDir: string,
  log: Log,
): Promise<Postgres & { readonly syncs: () => number }> {
  const folder = resolve(dataDir);
  const lock = lockDataFolder(folder, 'postgres.lock');
  try {
    const cluster = join(folder, 'cluster');
    const isNew = !existsSync(join(cluster, 'PG_VERSION'));
    mkdirSync(cluster, { recursive: true });
    const fs = new DurableFS(cluster);
    const client = new PGlite({ fs, startParams: START_PARAMS });
    await client.waitReady;
    if (isNew) {
      await client.exec('CHECKPOINT');
      syncTree(folder);
    }
    log.info({ dataDir: folder, engine: 'pglite' }, 'records are open');
    const db = drizzle(client, { casing: 'snake_case' });
    let migrations: Promise<void> = Promise.resolve();
    return {
      engine: 'pglite',
      db,
      syncs: () => fs.syncs,
      query: async <Row>(text: string, params: unknown[] = []) =>
        (await client.query<Row>(text, params)).rows,
      exec: async (sql) => {
        await client.exec(sql);
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
