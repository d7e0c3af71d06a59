import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { migrate, openPostgres, type Postgres } from '@albedo/postgres/postgres';
import type { Logger } from 'pino';

/** Folder of the generated migrations. */
export const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url));

/** The last version with the migrations from before the first release, which have become one. */
const LAST_BEFORE = '1.6.96';

/**
 * Opens the records (PostgreSQL at `url`, otherwise the embedded one in the data folder) in their newest form.
 *
 * Throws an error that says what to do when they are from before the first migration.
 */
export async function openDatabase(options: {
  url?: string;
  dataDir: string;
  log: Logger;
}): Promise<Postgres> {
  const postgres = await openPostgres(options);
  try {
    await refuseHalfway(postgres);
    await migrate(postgres, MIGRATIONS);
  } catch (error) {
    await postgres.close();
    throw error;
  }
  return postgres;
}

/**
 * The migrator passes over what is not newer than the last one it applied. The first migration has the time of the last
 * of those that it stands for, so it takes records with all of these as its own; it would not see that some are missing.
 */
async function refuseHalfway(postgres: Postgres): Promise<void> {
  const [{ isNew } = { isNew: true }] = await postgres.query<{ isNew: boolean }>(
    `select to_regclass('drizzle.__drizzle_migrations') is null as "isNew"`,
  );
  if (isNew) return;
  const applied = await postgres.query<{ at: number }>(
    'select created_at as at from drizzle.__drizzle_migrations',
  );
  const first = firstMigrationAt();
  if (applied.length === 0 || applied.some(({ at }) => at === first)) return;
  throw new Error(
    `The records are from before Albedo ${LAST_BEFORE} and nothing in them has been changed. Open them once with Albedo ${LAST_BEFORE}, then with this version.`,
  );
}

/** Time that the journal has for it, epoch ms. */
function firstMigrationAt(): number | undefined {
  const journal = readFileSync(join(MIGRATIONS, 'meta/_journal.json'), 'utf8');
  return (JSON.parse(journal) as { entries: { when: number }[] }).entries[0]?.when;
}
