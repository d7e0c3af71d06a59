import { Readable } from 'node:stream';
import type { FileStore } from '../files/files.store.ts';

/** A piece of a file as it was sent; the key in the file store. */
export interface StoredPart {
  key: string;
  bytes: number;
}

/** Parts kept in memory at a time. */
const HELD = 3;

/** A file that lies in the store in parts. */
export class StoredFile {
  readonly #files: FileStore;
  readonly #parts: readonly StoredPart[];
  readonly #held = new Map<string, Promise<Buffer>>();
  readonly bytes: number;

  constructor(files: FileStore, parts: readonly StoredPart[]) {
    this.#files = files;
    this.#parts = parts;
    this.bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
  }

  /** From its beginning. Throws where a part is gone. */
  stream(onRead: (bytes: number) => void = () => {}): Readable {
    return Readable.from(this.#all(onRead), { objectMode: false });
  }

  async *#all(onRead: (bytes: number) => void): AsyncGenerator<Buffer> {
    for (const part of this.#parts) {
      for await (const chunk of await this.#open(part)) {
        onRead((chunk as Buffer).length);
        yield chunk as Buffer;
      }
    }
  }

  /** Bytes `start` to `end`, the latter not included. */
  async slice(start: number, end: number): Promise<ArrayBuffer> {
    const wanted = Buffer.alloc(Math.max(0, end - start));
    let from = 0;
    for (const part of this.#parts) {
      const to = from + part.bytes;
      if (to > start && from < end) {
        const bytes = await this.#read(part);
        bytes.copy(
          wanted,
          Math.max(0, from - start),
          Math.max(0, start - from),
          Math.min(part.bytes, end - from),
        );
      }
      from = to;
    }
    return wanted.buffer.slice(wanted.byteOffset, wanted.byteOffset + wanted.byteLength) as ArrayBuffer;
  }

  #read(part: StoredPart): Promise<Buffer> {
    const known = this.#held.get(part.key);
    if (known) return known;
    const reading = this.#open(part).then(async (stream) => Buffer.concat(await stream.toArray()));
    this.#held.set(part.key, reading);
    for (const key of this.#held.keys()) {
      if (this.#held.size <= HELD) break;
      this.#held.delete(key);
    }
    return reading;
  }

  async #open({ key }: StoredPart): Promise<Readable> {
    const stream = await this.#files.get(key);
    if (!stream) throw new Error(`The file ${key} is gone.`);
    return stream;
  }
}
