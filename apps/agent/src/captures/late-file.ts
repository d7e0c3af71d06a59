import { closeSync, fstatSync } from 'node:fs';
import type { Position } from '../outbox/outbox.events.ts';
import type { Sink } from '../outbox/sink.ts';
import { type Generation, positionOf, resume } from './generation.ts';
import { PACKED } from './packed.ts';
import { isRelative, movedAmong, placesOf } from './rotated.ts';

/** A file whose place was taken is looked at for so long after its last line, in case its writer goes on. */
const LATE_MS = 600_000;
/** So many files that were read are known again. */
const KNOWN = 4;

/** The file that stood at the path before the present one, read to its end, which its writer may still have open. */
export class LateFile {
  readonly #path: string;
  readonly #sink: Sink;
  /** Names its position in the outbox, which is there before the next file takes the one of the path. */
  readonly key: string;
  readonly #readKeys: readonly string[];
  #read: readonly Position[] | null = null;
  #file: Generation | null = null;
  #since = 0;

  constructor(of: { path: string; key: string; sink: Sink }) {
    this.#path = of.path;
    this.#sink = of.sink;
    this.key = `${of.key} (before)`;
    this.#readKeys = Array.from({ length: KNOWN }, (_, nth) => `${of.key} (read ${nth + 1})`);
  }

  get file(): Generation | null {
    return this.#file;
  }

  /** Finds it as it was when the agent stopped, wherever it is by now. */
  resume(present: Generation | null): void {
    const position = this.#sink.position(this.key);
    if (!position) return;
    this.#since = performance.now();
    if (position.inode !== present?.inode) this.#file = this.#find(position);
    if (!this.#file) this.#forget();
  }

  /** By its number under any name, or by what it holds where it was packed, which gives it another one. */
  #find(position: Position): Generation | null {
    const present = resume(this.#path, position);
    if (present) return present;
    for (const files of placesOf(this.#path, position)) {
      const moved = movedAmong(files, position);
      if (moved) return moved;
      for (const { path } of files.filter((one) => isRelative(one) && PACKED.test(one.name))) {
        const packed = resume(path, position, 'content');
        if (packed) return packed;
      }
    }
    return null;
  }

  /** This one has lost its place now. */
  take(file: Generation): void {
    this.drop();
    this.#file = file;
    this.#since = performance.now();
  }

  /** To be called once its own position is saved. */
  noteRead(): void {
    const file = this.#file;
    if (!file?.offset) return;
    const others = this.read.filter(({ inode }) => inode !== file.inode);
    this.#read = [positionOf(file), ...others].slice(0, KNOWN);
    for (const [nth, key] of this.#readKeys.entries()) {
      const value = this.#read[nth];
      if (value) this.#sink.append({ captures: [], position: { key, value } });
    }
  }

  /**
   * Where reading ended in the last files before the present one that something was read of, the newest first. An empty one is
   * not known again once it is packed, and one that is written on looks newer than those after it. Agents before this one noted
   * the last one alone, as the file that may be written on.
   */
  get read(): readonly Position[] {
    if (!this.#read) {
      const noted = this.#readKeys.flatMap((key) => this.#sink.position(key) ?? []);
      this.#read = noted.length > 0 ? noted : [this.#sink.position(this.key) ?? []].flat();
    }
    return this.#read;
  }

  /** Whether somebody writes on in it. */
  check(): boolean {
    if (!this.#file) return false;
    const { size } = fstatSync(this.#file.fd);
    if (size > this.#file.size) {
      this.#file.size = size;
      this.#since = performance.now();
      return true;
    }
    if (performance.now() - this.#since > LATE_MS) this.drop();
    return false;
  }

  drop(): void {
    if (!this.#file) return;
    this.close();
    this.#forget();
  }

  /** Its position stays for the next start. */
  close(): void {
    if (this.#file) closeSync(this.#file.fd);
    this.#file = null;
  }

  #forget(): void {
    this.#sink.append({ captures: [], position: { key: this.key, value: null } });
  }
}
