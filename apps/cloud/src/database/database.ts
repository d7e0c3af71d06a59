import { fileURLToPath } from 'node:url';
import { migrate, openPostgres, type Postgres } from '@albedo/postgres/postgres';
import type { Logger } from 'pino';

/** Folder of the generated migrations. */
export const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url));

/** Opens the records (PostgreSQL at `url`, otherwise the embedded one in the data folder) in their newest form. */
export async function openDatabase(options: {
  url?: string;
  dataDir: string;
  log: Logger;
}): Promise<Postgres> {
  const postgres = await openPostgres(options);
  await migrate(postgres, MIGRATIONS);
  return postgres;
}
