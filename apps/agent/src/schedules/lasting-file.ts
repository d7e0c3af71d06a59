import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Whole or not at all, and on the disk when it returns. The file on the way is hidden, and not taken for another one. */
export function putLasting(path: string, text: string, mode = 0o644): void {
  const folder = dirname(path);
  makeLasting(folder);
  const fresh = join(folder, `.${basename(path)}.new`);
  rmSync(fresh, { force: true });
  const file = openSync(fresh, 'wx', mode);
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(fresh, path);
  syncFolder(folder);
}

export function removeLasting(path: string): void {
  if (readText(path) === null) return;
  rmSync(path);
  syncFolder(dirname(path));
}

/** Null where there is none. Throws what else keeps it from being read. */
export function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function makeLasting(folder: string): void {
  const first = mkdirSync(folder, { recursive: true });
  if (first === undefined) return;
  for (let at = folder; at.length >= dirname(first).length; at = dirname(at)) {
    syncFolder(at);
    if (at === dirname(at)) return;
  }
}

function syncFolder(folder: string): void {
  const file = openSync(folder, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
