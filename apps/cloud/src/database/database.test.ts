import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPostgres } from '@albedo/postgres/postgres';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { prepareRecords } from '../testing/prepare-records.ts';
import { MIGRATIONS, openDatabase } from './database.ts';

let folder = '';
let dataDir = '';
const log = pino({ level: 'silent' });
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'albedo-database-'));
  dataDir = join(folder, 'postgres');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = () => openDatabase({ dataDir, log });

/** Makes records without the tables of the last migration before the release, as if the one at this time were the last. */
async function makeRecordsOf(migratedAt: number): Promise<void> {
  const records = await openPostgres({ dataDir, log });
  await records.exec(readFileSync(join(MIGRATIONS, '0000_initial.sql'), 'utf8'));
  await records.exec(
    `drop table link_shards, link_processes;
     create schema drizzle;
     create table drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint);
     insert into drizzle.__drizzle_migrations (hash, created_at) values ('a', 1795254530583), ('b', ${migratedAt});
     insert into workgroups (name, display_name) values ('plant', 'Plant')`,
  );
  await records.close();
}

test('records from before the first release get the migrations that they lack', async () => {
  await makeRecordsOf(1_795_335_634_622);
  for (const _start of ['first', 'second']) {
    const records = await open();
    expect(await records.query('select count(*)::int as n from link_shards')).toEqual([{ n: 0 }]);
    expect(await records.query('select name from workgroups')).toEqual([{ name: 'plant' }]);
    await records.close();
  }
});

test('older records are refused, with what to do', async () => {
  await prepareRecords(folder);
  const records = await open();
  await records.exec('update drizzle.__drizzle_migrations set created_at = 1795244560484');
  await records.close();
  await expect(open()).rejects.toThrow(/early version.*Open them once with the commit a73cc7f/);
  // Again, because the first refusal let go of the folder.
  await expect(open()).rejects.toThrow('Open them once');
});

test('tunnels that are open at an upgrade count as attached: nothing was written of it before', async () => {
  const earlier = join(folder, 'migrations');
  cpSync(MIGRATIONS, earlier, { recursive: true });
  const journal = join(earlier, 'meta/_journal.json');
  const { entries, ...rest } = JSON.parse(readFileSync(journal, 'utf8'));
  const until = entries.findIndex(({ tag }: { tag: string }) => tag.endsWith('ways-into-devices'));
  writeFileSync(journal, JSON.stringify({ ...rest, entries: entries.slice(0, until) }));
  const before = await openPostgres({ dataDir, log });
  await before.migrate(earlier);
  await before.exec(
    `set session_replication_role = replica;
     insert into tunnels (workgroup, device_id, user_id, "by", kind, host, port, token_hash, opened_at, ends_at)
     values ('plant', gen_random_uuid(), gen_random_uuid(), 'ada', 'tcp', 'plc', 502, 'x', '2026-11-29', '2026-11-30')`,
  );
  await before.close();
  const records = await open();
  expect(await records.query('select attached_at = opened_at as "isSame" from tunnels')).toEqual([
    { isSame: true },
  ]);
  await records.close();
});

test('a table that need not outlive a crash is written without a log', async () => {
  await prepareRecords(folder);
  const records = await open();
  const unlogged = await records.query(
    "select relname from pg_class where relpersistence = 'u' and relkind = 'r'",
  );
  await records.close();
  // drizzle-kit cannot say this, and would forget it in a new first migration.
  expect(unlogged).toEqual([{ relname: 'attempts' }]);
});
