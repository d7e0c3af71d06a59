import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { makePreparedRecords } from '../engines/prepared-records.ts';

/** Gives a data folder without records those that a first start would make; unlike there nothing is synced. */
export async function prepareRecords(dataDir: string): Promise<void> {
  const records = join(dataDir, 'postgres');
  if (existsSync(records)) return;
  const { folder } = await makePreparedRecords();
  mkdirSync(records);
  cpSync(join(folder, 'cluster'), join(records, 'cluster'), { recursive: true });
}
