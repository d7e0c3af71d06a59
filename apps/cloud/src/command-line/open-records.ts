import { join, resolve } from 'node:path';
import { lockDataFolder } from '@albedo/postgres/lock';
import type { Postgres } from '@albedo/postgres/postgres';
import { pino } from 'pino';
import type { Config } from '../config/config.ts';
import { openDatabase } from '../database/database.ts';

/** The records, for a command that runs while no server does on this data folder. */
export async function openRecordsAlone(
  config: Pick<Config, 'dataDir' | 'databaseUrl'>,
): Promise<{ postgres: Postgres; close: () => Promise<void> }> {
  const dataDir = resolve(config.dataDir);
  const lock = lockDataFolder(dataDir);
  const postgres = await openDatabase({
    ...(config.databaseUrl ? { url: config.databaseUrl } : {}),
    dataDir: join(dataDir, 'postgres'),
    log: pino({ level: 'silent' }),
  });
  return {
    postgres,
    close: async () => {
      await postgres.close();
      lock.release();
    },
  };
}
