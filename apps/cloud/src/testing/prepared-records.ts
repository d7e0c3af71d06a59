import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { templateFolder } from '@albedo/postgres/cluster';
import { pino } from 'pino';
import { MIGRATIONS, openDatabase } from '../database/database.ts';
import { installJobs } from '../jobs/jobs.queue.ts';

const PREFIX = 'albedo-records-';

/**
 * Gives a data folder without records those that a first start would make, empty and migrated: a copy costs a
 * twentieth of the migrations. The first test of all makes what is copied, and another one after each new migration.
 */
export async function prepareRecords(dataDir: string): Promise<void> {
  const records = join(dataDir, 'postgres');
  if (existsSync(records)) return;
  const prepared = await preparedRecords();
  mkdirSync(records);
  cpSync(join(prepared, 'cluster'), join(records, 'cluster'), { recursive: true });
}

async function preparedRecords(): Promise<string> {
  const cache = dirname(templateFolder());
  const name = PREFIX + hashOfRecords();
  const folder = join(cache, name);
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  for (const old of readdirSync(cache)) {
    if (old.startsWith(PREFIX) && old !== name) rmSync(join(cache, old), { recursive: true, force: true });
  }
  const fresh = mkdtempSync(join(cache, 'new-records-'));
  const postgres = await openDatabase({ dataDir: fresh, log: pino({ level: 'silent' }) });
  await installJobs(postgres);
  await postgres.close();
  try {
    renameSync(fresh, folder);
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    // Another test was quicker.
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

/** Of all that the prepared records are made of: the empty cluster and the jobs, by their versions, and the migrations. */
function hashOfRecords(): string {
  const boss = readFileSync(new URL('../package.json', import.meta.resolve('pg-boss')));
  const hash = createHash('sha256').update(basename(templateFolder())).update(boss);
  for (const file of readdirSync(MIGRATIONS, { recursive: true, encoding: 'utf8' }).sort()) {
    if (file.endsWith('.sql') || file.endsWith('_journal.json'))
      hash.update(file).update(readFileSync(join(MIGRATIONS, file)));
  }
  return hash.digest('hex').slice(0, 16);
}
