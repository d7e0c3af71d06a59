import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/**
 * Where files lie: pictures, attachments, exports. A key is words of small letters, digits and `-`, parted by `/`:
 * `support/<ticket>/<file>`. All functions throw on any other key, so that none leads out of the store.
 */
export interface FileStore {
  /** Keeps all of the stream under the key, or, when it fails, nothing. What was there before is replaced. */
  put(key: string, bytes: Readable): Promise<void>;
  /** Null where there is none. */
  get(key: string): Promise<Readable | null>;
  /** One that is not there counts as removed. */
  remove(key: string): Promise<void>;
}

const KEY = /^[a-z0-9][a-z0-9-]{0,63}(\/[a-z0-9][a-z0-9-]{0,63}){0,5}$/;

/** The key as it came; throws when it has another form. */
export function checkedKey(key: string): string {
  if (!KEY.test(key)) throw new Error(`The file key ${JSON.stringify(key)} is not usable.`);
  return key;
}

/** Files in a folder of this machine. A file is there completely, and survives a loss of power, or it is not there. */
export class FolderFiles implements FileStore {
  readonly #folder: string;
  readonly #incoming: string;

  private constructor(folder: string) {
    this.#folder = folder;
    // Keys begin with a letter or a digit, so none leads here.
    this.#incoming = join(folder, '.incoming');
  }

  /** What was half written when the process ended is taken away. */
  static async open(folder: string): Promise<FolderFiles> {
    const files = new FolderFiles(folder);
    await rm(files.#incoming, { recursive: true, force: true });
    await mkdir(files.#incoming, { recursive: true, mode: 0o700 });
    return files;
  }

  async put(key: string, bytes: Readable): Promise<void> {
    const path = this.#pathOf(key);
    const unfinished = join(this.#incoming, randomUUID());
    try {
      await pipeline(bytes, createWriteStream(unfinished, { flags: 'wx', mode: 0o600, flush: true }));
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await rename(unfinished, path);
      await syncFolder(dirname(path));
    } catch (error) {
      bytes.destroy();
      await rm(unfinished, { force: true });
      throw error;
    }
  }

  async get(key: string): Promise<Readable | null> {
    try {
      return (await open(this.#pathOf(key), 'r')).createReadStream();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }

  async remove(key: string): Promise<void> {
    await rm(this.#pathOf(key), { force: true });
  }

  #pathOf(key: string): string {
    return join(this.#folder, ...checkedKey(key).split('/'));
  }
}

/** A name in a folder is only safe when the folder itself is written. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
