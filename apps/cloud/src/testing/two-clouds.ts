import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedClickHouse } from '@albedo/clickhouse/embedded';
import { openPostgres } from '@albedo/postgres/postgres';
import { startTestCloud, type TestCloud } from './test-cloud.ts';

const log = { info: () => {}, warn: () => {}, error: () => {}, debug: () => {} };

export interface TwoClouds {
  clouds: [TestCloud, TestCloud];
  stop(): Promise<void>;
}

/**
 * Two clouds of one installation, each with an environment of its own: a new database of this PostgreSQL, one telemetry
 * engine, this Redis.
 */
export async function startTwoClouds(
  at: { databaseUrl: string; redisUrl: string },
  environments: [Record<string, string>, Record<string, string>],
): Promise<TwoClouds> {
  const folder = mkdtempSync(join(tmpdir(), 'albedo-processes-'));
  const engine = await startEmbeddedClickHouse({ dataDir: join(folder, 'telemetry'), log });
  const telemetry = new URL(engine.url);
  telemetry.username = engine.username;
  telemetry.password = engine.password;
  const databaseUrl = await newDatabase(at.databaseUrl);
  const shared = { DATABASE_URL: databaseUrl, CLICKHOUSE_URL: telemetry.href, REDIS_URL: at.redisUrl };
  const start = (index: 0 | 1) =>
    startTestCloud({ ...shared, ALBEDO_DATA: join(folder, `${index}`), ...environments[index] });
  // One after the other, because the first one makes the tables.
  const clouds: [TestCloud, TestCloud] = [await start(0), await start(1)];
  return {
    clouds,
    async stop() {
      for (const cloud of clouds.toReversed()) await cloud.stop();
      await engine.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The address of a new database of this PostgreSQL. */
export async function newDatabase(serverUrl: string): Promise<string> {
  const name = `albedo_${crypto.randomUUID().replaceAll('-', '')}`;
  const server = await openPostgres({ url: serverUrl, dataDir: '', log });
  await server.exec(`CREATE DATABASE ${name}`);
  await server.close();
  const database = new URL(serverUrl);
  database.pathname = `/${name}`;
  return database.href;
}

/** Waits until something is so; the test's own timeout is the limit. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setImmediate(resolve));
}
