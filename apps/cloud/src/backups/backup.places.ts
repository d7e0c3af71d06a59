import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CommandError } from '../command-line/command.ts';
import type { BackupPlace } from './backup.place.ts';

const UNFINISHED = '.part';

const isUrl = (text: string): boolean => /^(s3|https?):\/\//.test(text);

/** A folder, or a bucket such as `s3://bucket/prefix?region=…` or `https://key:secret@host/bucket/prefix`. */
export async function placeAt(text: string): Promise<BackupPlace> {
  if (!isUrl(text)) return new FolderPlace(resolve(text));
  // Loaded only where it is used: it is large.
  const { BucketPlace } = await import('./backup.bucket.ts');
  return new BucketPlace(text);
}

/** One backup by its path or address: where it lies, and its name there. */
export async function backupAt(text: string): Promise<{ place: BackupPlace; name: string }> {
  if (!isUrl(text)) return { place: await placeAt(dirname(resolve(text))), name: basename(text) };
  const url = new URL(text);
  const parts = url.pathname.split('/');
  const name = decodeURIComponent(parts.pop() ?? '');
  url.pathname = parts.join('/');
  return { place: await placeAt(url.href), name };
}

class FolderPlace implements BackupPlace {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  label(name: string): string {
    return join(this.#folder, name);
  }

  async write(name: string, content: Readable): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    // Of a process that was killed.
    for (const other of await readdir(this.#folder))
      if (other.startsWith('albedo-') && other.endsWith(UNFINISHED)) await rm(join(this.#folder, other));
    const path = join(this.#folder, name);
    const unfinished = path + UNFINISHED;
    try {
      await pipeline(content, createWriteStream(unfinished, { mode: 0o600, flush: true }));
      await rename(unfinished, path);
      const folder = await open(this.#folder, 'r');
      await folder.sync().finally(() => folder.close());
    } catch (error) {
      await rm(unfinished, { force: true });
      if ((error as NodeJS.ErrnoException).code === 'ENOSPC')
        throw new CommandError(
          `There is no room for a backup in ${this.#folder}. Nothing of it was left there.`,
        );
      throw error;
    }
  }

  async read(name: string): Promise<Readable> {
    const path = join(this.#folder, name);
    if (!existsSync(path)) throw new CommandError(`There is no file ${path}.`);
    return createReadStream(path);
  }

  async list(): Promise<string[]> {
    return existsSync(this.#folder) ? readdir(this.#folder) : [];
  }

  async remove(name: string): Promise<void> {
    await rm(join(this.#folder, name), { force: true });
  }

  close(): void {}
}
