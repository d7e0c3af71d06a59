import type { Log, Postgres } from './connection.ts';
import { openEmbedded } from './embedded.ts';
import { openServed } from './served.ts';

export type { Log, Postgres, Transaction } from './connection.ts';

/**
 * Opens PostgreSQL at `url`, otherwise the embedded one in `dataDir`, a folder of its own that it makes and locks.
 *
 * Throws an error that names the address or the folder when it cannot be opened.
 */
export function openPostgres(options: {
  url?: string | undefined;
  dataDir: string;
  log: Log;
  /** Where a cluster lies that a new embedded one begins as; null where there is none. */
  prepared?: () => string | null;
}): Promise<Postgres> {
  return options.url ? openServed(options.url, options.log) : openEmbedded(options);
}

/** Migrates the tables to the schema of a folder that drizzle-kit made. */
export const migrate = (postgres: Postgres, folder: string): Promise<void> => postgres.migrate(folder);
