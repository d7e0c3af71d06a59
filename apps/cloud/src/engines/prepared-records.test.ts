import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, expect, test } from 'vitest';
import { openDatabase } from '../database/database.ts';
import { makePreparedRecords, preparedCluster } from './prepared-records.ts';

const folder = mkdtempSync(join(tmpdir(), 'albedo-prepared-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('new records begin as those that a build prepared, with all tables and those of the jobs', async () => {
  const { folder: prepared } = await makePreparedRecords();
  expect(await makePreparedRecords()).toEqual({ folder: prepared, isNew: false });
  const postgres = await openDatabase({
    dataDir: join(folder, 'postgres'),
    prepared: preparedCluster,
    log: pino({ level: 'silent' }),
  });
  // Nothing here has asked for jobs: their tables can only have come with the copy.
  const [row] = await postgres.query<{ jobs: string | null; users: string | null }>(
    "select to_regclass('pgboss.job')::text as jobs, to_regclass('users')::text as users",
  );
  await postgres.close();
  expect(row).toEqual({ jobs: 'pgboss.job', users: 'users' });
});
