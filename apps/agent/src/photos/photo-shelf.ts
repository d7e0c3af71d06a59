import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import {
  PHOTO_LIMITS,
  type PhotosWaiting,
  type WaitingPhoto,
  waitingPhoto,
} from '@albedo/contract/photos/photos.schema';
import { codeOf, type Log, messageOf } from '../log.ts';

export interface PhotoShelfOptions {
  directory: string;
  limitBytes: number;
  log: Log;
}

/**
 * Photos on the disk of the device until the cloud has stored them: the bytes as `<id>`, and beside them `<id>.json`, which
 * is written last and taken away first. A photo without it is none. Beyond the limit the oldest go.
 */
export class PhotoShelf {
  readonly #directory: string;
  readonly #log: Log;
  readonly #waiting = new Map<string, WaitingPhoto>();
  #limitBytes: number;
  #bytes = 0;
  #dropped = 0;
  /** Called with each photo that had to make room. */
  onDropped: (photo: WaitingPhoto) => void = () => {};
  /** Called when there is one more. */
  onKept: () => void = () => {};

  constructor({ directory, limitBytes, log }: PhotoShelfOptions) {
    this.#directory = directory;
    this.#limitBytes = limitBytes;
    this.#log = log;
  }

  /** Finds what waits since before the start; what was half written is taken away. */
  start(): void {
    const names = this.#names();
    for (const name of names.filter((one) => one.endsWith('.json'))) {
      const photo = this.#told(name);
      if (photo && names.includes(photo.id)) this.#add(photo);
    }
    for (const name of names) {
      if (name !== COUNT && !this.#waiting.has(name.replace(/\.json$/, ''))) this.#remove(name);
    }
    this.#dropped = this.#readCount();
    this.#makeRoom();
  }

  limit(bytes: number): void {
    this.#limitBytes = bytes;
    this.#makeRoom();
  }

  /** True once the photo is safe on the disk; false when it is larger than all that may wait. Throws where the disk refuses. */
  keep(photo: WaitingPhoto, bytes: Uint8Array): boolean {
    if (bytes.length > this.#limitBytes) return false;
    if (this.#waiting.has(photo.id)) return true;
    mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
    this.#write(photo.id, bytes);
    this.#write(`${photo.id}.json`, Buffer.from(JSON.stringify(photo)));
    this.#sync();
    this.#add(photo);
    this.#makeRoom();
    this.onKept();
    return true;
  }

  /** Newest first: what happens now is of more use than what happened while nobody listened. */
  list(): WaitingPhoto[] {
    return [...this.#waiting.values()]
      .toSorted((a, b) => b.takenAt - a.takenAt || (a.id < b.id ? 1 : -1))
      .slice(0, PHOTO_LIMITS.told);
  }

  /** Where the bytes lie; null when the photo is not there any more. */
  fileOf(id: string): string | null {
    return this.#waiting.has(id) ? join(this.#directory, id) : null;
  }

  forget(ids: readonly string[]): void {
    for (const id of ids) this.#drop(id);
  }

  get facts(): PhotosWaiting {
    return { count: this.#waiting.size, bytes: this.#bytes, dropped: this.#dropped };
  }

  #add(photo: WaitingPhoto): void {
    this.#waiting.set(photo.id, photo);
    this.#bytes += photo.size;
  }

  #makeRoom(): void {
    if (this.#bytes <= this.#limitBytes) return;
    const oldest = [...this.#waiting.values()].toSorted((a, b) => a.takenAt - b.takenAt);
    for (const photo of oldest) {
      if (this.#bytes <= this.#limitBytes) break;
      this.#drop(photo.id);
      this.#dropped++;
      this.onDropped(photo);
    }
    this.#keepCount();
  }

  #drop(id: string): void {
    const photo = this.#waiting.get(id);
    if (!photo) return;
    this.#waiting.delete(id);
    this.#bytes -= photo.size;
    this.#remove(`${id}.json`);
    this.#remove(id);
  }

  #names(): string[] {
    try {
      return readdirSync(this.#directory);
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') this.#log.error(`photos: ${messageOf(error)}`);
      return [];
    }
  }

  #told(name: string): WaitingPhoto | null {
    try {
      const photo = waitingPhoto.parse(JSON.parse(readFileSync(join(this.#directory, name), 'utf8')));
      return name === `${photo.id}.json` ? photo : null;
    } catch (error) {
      this.#log.warn(`photos: ${name} cannot be read and is left out: ${messageOf(error)}`);
      return null;
    }
  }

  #readCount(): number {
    try {
      return Math.max(0, Math.trunc(Number(readFileSync(join(this.#directory, COUNT), 'utf8')) || 0));
    } catch {
      // Nothing was ever dropped.
      return 0;
    }
  }

  #keepCount(): void {
    try {
      this.#write(COUNT, Buffer.from(String(this.#dropped)));
    } catch (error) {
      this.#log.warn(`photos: the number of dropped photos was not kept: ${messageOf(error)}`);
    }
  }

  #write(name: string, bytes: Uint8Array): void {
    const path = join(this.#directory, name);
    const file = openSync(`${path}.new`, 'w', 0o600);
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
      fsyncSync(file);
    } catch (error) {
      this.#remove(`${name}.new`);
      throw error;
    } finally {
      closeSync(file);
    }
    renameSync(`${path}.new`, path);
  }

  /** A name in a folder is only safe when the folder itself is written. */
  #sync(): void {
    const folder = openSync(this.#directory, 'r');
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  }

  #remove(name: string): void {
    try {
      rmSync(join(this.#directory, name), { force: true });
    } catch (error) {
      this.#log.warn(`photos: ${name} cannot be removed: ${messageOf(error)}`);
    }
  }
}

/** How many had to go since the device was set up. */
const COUNT = 'dropped';
