import { createHash } from 'node:crypto';
import { readSync, type Stats } from 'node:fs';
import { open, readFile, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';

/** Beside the data: what the last whole backup holds, since the server cannot read its own backups. */
const FILE = 'last-backup.json';

const fact = z.object({ size: z.number(), mtimeMs: z.number(), ino: z.number(), sha256: z.string() });
const base = z.object({
  /** Of the whole backup, with its place. */
  label: z.string(),
  name: z.string(),
  files: z.record(z.string(), fact),
});
export type BackupBase = z.infer<typeof base>;
type Fact = z.infer<typeof fact>;

/** Null where there was none, or what is known of it cannot be read: the next backup is whole then. */
export async function readBase(dataDir: string): Promise<BackupBase | null> {
  try {
    return base.parse(JSON.parse(await readFile(join(dataDir, FILE), 'utf8')));
  } catch {
    return null;
  }
}

export async function keepBase(dataDir: string, kept: BackupBase): Promise<void> {
  const path = join(dataDir, FILE);
  const file = await open(`${path}.new`, 'w', 0o600);
  try {
    await file.writeFile(JSON.stringify(kept));
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.new`, path);
  const folder = await open(dirname(path), 'r');
  await folder.sync().finally(() => folder.close());
}

export const factOf = ({ size, mtimeMs, ino }: Stats, sha256: string): Fact => ({
  size,
  mtimeMs,
  ino,
  sha256,
});

/** Whether an open file is what it was in the base: by what the file system says of it, else by its content. */
export function isAsBefore(file: number, now: Stats, before: Fact): boolean {
  if (before.size !== now.size) return false;
  if (before.mtimeMs === now.mtimeMs && before.ino === now.ino) return true;
  return sumOf(file) === before.sha256;
}

function sumOf(file: number): string {
  const sum = createHash('sha256');
  const piece = Buffer.allocUnsafe(1024 * 1024);
  for (let at = 0; ; ) {
    const read = readSync(file, piece, 0, piece.length, at);
    if (read === 0) return sum.digest('hex');
    sum.update(piece.subarray(0, read));
    at += read;
  }
}
