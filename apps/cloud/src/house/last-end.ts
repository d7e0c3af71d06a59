import { closeSync, fsyncSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** There while a server runs on the data folder, and after one that did not stop by itself. */
const MARK = 'running.json';

/** How a server ended that nobody stopped. */
export interface LastEnd {
  /** When it had started, ISO 8601; null when that cannot be read. */
  since: string | null;
  /** What escaped; null when it was killed, or the power went. */
  reason: string | null;
}

/** Marks that a server runs from here on; answers how the one before ended, null when it was stopped. */
export function markRunning(dataDir: string): LastEnd | null {
  const path = join(dataDir, MARK);
  const last = lastIn(path);
  write(path, { since: new Date().toISOString(), reason: null });
  return last;
}

/** The server stops as it should. */
export const markStopped = (dataDir: string): void => rmSync(join(dataDir, MARK), { force: true });

/** Keeps why the process is about to end. Never throws: the end matters more. */
export function markFailed(dataDir: string, reason: string): void {
  const path = join(dataDir, MARK);
  try {
    write(path, { since: lastIn(path)?.since ?? null, reason });
  } catch {
    // A full disk, perhaps: the reason is in the log.
  }
}

function lastIn(path: string): LastEnd | null {
  try {
    const { since = null, reason = null } = JSON.parse(readFileSync(path, 'utf8')) as Partial<LastEnd>;
    return { since, reason };
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? null : { since: null, reason: null };
  }
}

function write(path: string, end: LastEnd): void {
  const file = openSync(path, 'w', 0o600);
  writeSync(file, JSON.stringify(end));
  fsyncSync(file);
  closeSync(file);
}
