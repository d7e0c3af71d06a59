import { statfs } from 'node:fs/promises';

/** Less than this is as good as full: the engines need room to tidy up, bytes. */
const NEEDED = 16 * 1024 * 1024;

/** Throws a sentence when the disk of the folder is full, or nearly so. */
export async function demandRoom(folder: string, needed = NEEDED): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (free >= needed) return;
  throw new Error(`the disk of the data folder is full: ${Math.floor(free / 1024 / 1024)} MB are left`);
}
