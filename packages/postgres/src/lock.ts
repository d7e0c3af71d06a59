import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export interface FolderLock {
  release(): void;
}

/** A folder that another process holds; the message names both. */
export class FolderInUseError extends Error {}

/**
 * Makes this process the only one that uses the folder (which is made when it is missing).
 *
 * The kernel holds the lock (SQLite's, on the file `<name>` in the folder), so it ends with the process however that
 * ends, and containers that share the folder on one machine see it. Throws `FolderInUseError` when it is held.
 */
export function lockDataFolder(folder: string, name = 'lock'): FolderLock {
  const path = resolve(folder);
  makePrivate(path);
  const holderFile = join(path, `${name}.json`);
  const file = new DatabaseSync(join(path, name), { timeout: 0 });
  try {
    file.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    file.close();
    if (isBusy(error)) throw new FolderInUseError(inUse(path, holderFile));
    throw new Error(`The folder ${path} cannot be locked: ${(error as Error).message}`);
  }
  const holder = { pid: process.pid, host: hostname(), since: new Date().toISOString() };
  writeFileSync(holderFile, `${JSON.stringify(holder)}\n`);
  return { release: () => file.close() };
}

/** The folder holds secrets and everybody's records: only the user of this process may enter it. */
function makePrivate(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  try {
    chmodSync(path, 0o700);
  } catch (error) {
    throw new Error(
      `The folder ${path} cannot be closed to other users of this machine: ${(error as Error).message}`,
    );
  }
}

/** SQLITE_BUSY and SQLITE_LOCKED. */
const isBusy = (error: unknown): boolean => {
  const code = (error as { errcode?: number }).errcode;
  return code === 5 || code === 6;
};

function inUse(folder: string, holderFile: string): string {
  return `The data folder ${folder} is in use by ${holderName(holderFile)}. Stop it, or choose another folder.`;
}

function holderName(holderFile: string): string {
  try {
    const { pid, host, since } = JSON.parse(readFileSync(holderFile, 'utf8')) as Record<string, unknown>;
    return `process ${pid} on ${host} since ${since}`;
  } catch {
    return 'another process'; // It has the lock and is about to write its name.
  }
}
