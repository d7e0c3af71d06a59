import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { makeTemplate, templateFolder } from '@albedo/postgres/cluster';
import { pino } from 'pino';
import { MIGRATIONS, openDatabase } from '../database/database.ts';
import { installJobs } from '../jobs/jobs.queue.ts';

const PREFIX = 'albedo-records-';

/** The cluster that new records of this version are copied from; null where no build has made it. */
export function preparedCluster(): string | null {
  const cluster = join(preparedFolder(), 'cluster');
  return existsSync(cluster) ? cluster : null;
}

/**
 * Makes the records that a first start would make, empty and migrated, where they are missing: a copy costs a twentieth
 * of the migrations. Answers their folder, and whether it was made.
 */
export async function makePreparedRecords(): Promise<{ folder: string; isNew: boolean }> {
  const folder = preparedFolder();
  if (existsSync(folder)) return { folder, isNew: false };
  await makeTemplate();
  const cache = dirname(folder);
  const name = basename(folder);
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
    // Another build or test was quicker.
    if (!existsSync(folder)) throw error;
    return { folder, isNew: false };
  }
  return { folder, isNew: true };
}

const preparedFolder = (): string => join(dirname(templateFolder()), PREFIX + hashOfRecords());

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
