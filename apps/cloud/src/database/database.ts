import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mendIndexes } from '@albedo/postgres/damage';
import { migrate, openPostgres, type Postgres } from '@albedo/postgres/postgres';
import type { Logger } from 'pino';

/** Folder of the generated migrations. */
export const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url));

/** The last ones of those that became the first one, for records that have all before them. */
const BEFORE_RELEASE = join(MIGRATIONS, 'before-release');

/** The commit that has all before them, and the time of its last migration, epoch ms. */
const OLDEST = { commit: 'a73cc7f', migratedAt: 1_795_254_530_583 };

/**
 * Opens the records (PostgreSQL at `url`, otherwise the embedded one in the data folder) in their newest form.
 *
 * Throws an error that says what to do when they are from before the migrations that are kept.
 */
export async function openDatabase(options: {
  url?: string;
  dataDir: string;
  log: Logger;
  prepared?: () => string | null;
}): Promise<Postgres> {
  const postgres = await openPostgres(options);
  try {
    // Before anything asks them: one that cannot be read would keep the server from starting.
    for (const index of await mendIndexes(postgres))
      options.log.error(index, 'the disk has damaged an index of the records');
    await catchUp(postgres);
    await migrate(postgres, MIGRATIONS);
  } catch (error) {
    await postgres.close();
    throw error;
  }
  return postgres;
}

/** True for an account that may do anything on the server of the records, which needs its own database alone. */
export async function mayDoAnything(postgres: Postgres): Promise<boolean> {
  if (postgres.engine === 'pglite') return false;
  const [account] = await postgres.query<{ powerful: boolean }>(
    'select rolsuper or rolcreaterole or rolcreatedb or rolbypassrls or rolreplication as powerful from pg_roles where rolname = current_user',
  );
  return account?.powerful ?? false;
}

/**
 * Applies what records from before the first release lack of the first migration.
 *
 * The migrator passes over what is not newer than the last one it applied. The first migration has the time of the last
 * of those that it stands for, so it takes records with all of these as its own; it would not see that some are missing.
 */
async function catchUp(postgres: Postgres): Promise<void> {
  const [{ isNew } = { isNew: true }] = await postgres.query<{ isNew: boolean }>(
    `select to_regclass('drizzle.__drizzle_migrations') is null as "isNew"`,
  );
  if (isNew) return;
  const applied = await postgres.query<{ at: number }>(
    'select created_at as at from drizzle.__drizzle_migrations',
  );
  const has = (time: number | undefined) => applied.some(({ at }) => at === time);
  if (applied.length === 0 || has(firstMigrationAt())) return;
  if (!has(OLDEST.migratedAt))
    throw new Error(
      `The records are from an early version that this one cannot open; nothing in them has been changed. Open them once with the commit ${OLDEST.commit}, then with this version.`,
    );
  await migrate(postgres, BEFORE_RELEASE);
}

/** Time that the journal has for it, epoch ms. */
function firstMigrationAt(): number | undefined {
  const journal = readFileSync(join(MIGRATIONS, 'meta/_journal.json'), 'utf8');
  return (JSON.parse(journal) as { entries: { when: number }[] }).entries[0]?.when;
}
