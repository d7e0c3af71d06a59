import { existsSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { relative, resolve } from 'node:path';
import { lockDataFolder } from '@albedo/postgres/lock';
import { REPOSITORY } from './settings.ts';

/**
 * Deletes the data folder, and nothing else.
 *
 * Throws when a running Albedo holds it, or when it is a folder too valuable to delete.
 */
export function resetData(dataDir: string): void {
  if (!existsSync(dataDir)) return;
  for (const precious of ['/', homedir(), REPOSITORY]) {
    if (isWithin(precious, dataDir)) throw new Error(`ALBEDO_DATA is ${dataDir}; that folder is not deleted`);
  }
  lockDataFolder(dataDir).release();
  rmSync(dataDir, { recursive: true, force: true });
}

/** Whether `inner` is `outer` or lies below it. */
function isWithin(inner: string, outer: string): boolean {
  const path = relative(resolve(outer), resolve(inner));
  return path === '' || !path.startsWith('..');
}
