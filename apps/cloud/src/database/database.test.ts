import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { prepareRecords } from '../testing/prepared-records.ts';
import { openDatabase } from './database.ts';

let folder = '';
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'albedo-database-'));
  await prepareRecords(folder);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = () => openDatabase({ dataDir: join(folder, 'postgres'), log: pino({ level: 'silent' }) });

test('records that lack some of the migrations that became one are refused and stay as they are', async () => {
  const whole = await open();
  // As a version before the last one left them.
  await whole.exec(
    'update drizzle.__drizzle_migrations set created_at = created_at - 1; drop table link_shards',
  );
  await whole.close();
  await expect(open()).rejects.toThrow(/before Albedo 1\.6\.96.*Open them once with Albedo 1\.6\.96/);
  // Again, because the first refusal let go of the folder.
  await expect(open()).rejects.toThrow('Open them once');
});

test('a table that need not outlive a crash is written without a log', async () => {
  const records = await open();
  const unlogged = await records.query(
    "select relname from pg_class where relpersistence = 'u' and relkind = 'r'",
  );
  await records.close();
  // drizzle-kit cannot say this, and would forget it in a new first migration.
  expect(unlogged).toEqual([{ relname: 'attempts' }]);
});
