import { type Dirent, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const KEEP_MS = 2 * 86_400_000;

/** Deletes daily archives older than two days; the demo writes about 200 MB of them a day. `latest.csv` stays. */
export function pruneArchives(folder: string, now: number): void {
  let entries: Dirent[];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    // The plugin has not written anything yet.
    return;
  }
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) pruneArchives(path, now);
    const day = /^(\d{4}-\d{2}-\d{2})\.csv(\.\d+)?$/.exec(entry.name)?.[1];
    if (day && Date.parse(day) < now - KEEP_MS) rmSync(path, { force: true });
  }
}
