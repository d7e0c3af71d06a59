import { open, readdir, readFile, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Root } from '../root.ts';
import { plainLine } from './service-keeper.ts';

const TAIL_LINES = 100;
const TAIL_BYTES = 64 * 1024;
const MOST_LOGS = 12;

/**
 * The ends of the files that a plugin writes below output folders, the one that grew last first. Other plugins may write into
 * the same folders: each leaves its name beside its files. Those of a writer without a name count where nobody else writes.
 */
export async function logsBelow(
  root: Root,
  folders: string[],
  plugin: string,
): Promise<{ source: string; text: string }[]> {
  const written = await Promise.all([...new Set(folders)].map((folder) => newest(root, folder)));
  const all = written.flat();
  const isShared = all.some(({ by }) => by !== null && by !== plugin);
  const shown = all
    .filter(({ by }) => by === plugin || (by === null && !isShared))
    .toSorted((a, b) => b.at - a.at)
    .slice(0, MOST_LOGS);
  return Promise.all(shown.map(async ({ path, source }) => ({ source, text: await tailOf(path) })));
}

/** Files that are captured below an output folder, with when they last grew. */
async function newest(
  root: Root,
  folder: string,
): Promise<{ path: string; source: string; at: number; by: string | null }[]> {
  const logs = root.at(root.logDirectory);
  if (folder !== logs && !folder.startsWith(`${logs}/`)) return [];
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const paths = names.filter((one) => one.endsWith('/latest.csv')).slice(0, 500);
  return Promise.all(
    paths.map(async (one) => {
      const path = join(folder, one);
      const facts = await stat(path).catch(() => null);
      return {
        path,
        source: plainLine(relative(logs, path).replace(/\/latest\.csv$/, '')),
        at: facts?.mtimeMs ?? 0,
        by: await readFile(join(path, '../.written-by'), 'utf8').catch(() => null),
      };
    }),
  );
}

async function tailOf(path: string): Promise<string> {
  const file = await open(path, 'r').catch(() => null);
  if (!file) return '';
  try {
    const { size } = await file.stat();
    const from = Math.max(0, size - TAIL_BYTES);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(TAIL_BYTES), 0, TAIL_BYTES, from);
    const lines = buffer.toString('utf8', 0, bytesRead).split('\n').filter(Boolean);
    return lines
      .slice(from > 0 ? 1 : 0)
      .slice(-TAIL_LINES)
      .map(plainLine)
      .join('\n');
  } finally {
    await file.close();
  }
}
