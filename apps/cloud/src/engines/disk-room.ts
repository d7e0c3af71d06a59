import { statfs } from 'node:fs/promises';

/** Less than this is as good as full: the engines need room to tidy up, bytes. */
const NEEDED = 16 * 1024 * 1024;

/** What the disk of the folder takes before it is as good as full, bytes. */
export async function roomIn(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize - NEEDED;
}

/** Throws a sentence when the disk of the folder is full, or nearly so. */
export async function demandRoom(folder: string, needed = NEEDED): Promise<void> {
  const free = (await roomIn(folder)) + NEEDED;
  if (free >= needed) return;
  throw new Error(`the disk of the data folder is full: ${Math.floor(free / 1024 / 1024)} MB are left`);
}
