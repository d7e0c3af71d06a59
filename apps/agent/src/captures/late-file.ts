import { closeSync, fstatSync } from 'node:fs';
import type { Position } from '../outbox/outbox.events.ts';
import { type Generation, resume } from './generation.ts';
import { neighboursOf } from './rotated.ts';
import type { Sink } from './sink.ts';

/** A file whose place was taken is looked at for so long after its last line, in case its writer goes on. */
const LATE_MS = 600_000;

/** The file that stood at the path before the present one, read to its end, which its writer may still have open. */
export class LateFile {
  readonly #path: string;
  readonly #sink: Sink;
  /** Names its position in the outbox, which is there before the next file takes the one of the path. */
  readonly key: string;
  #file: Generation | null = null;
  #since = 0;

  constructor(of: { path: string; key: string; sink: Sink }) {
    this.#path = of.path;
    this.#sink = of.sink;
    this.key = `${of.key} (before)`;
  }

  get file(): Generation | null {
    return this.#file;
  }

  /** Finds it as it was when the agent stopped, wherever it is by now. Its position, also where it is not found. */
  resume(present: Generation | null): Position | null {
    const position = this.#sink.position(this.key);
    if (!position) return null;
    this.#since = performance.now();
    const paths = [this.#path, ...neighboursOf(this.#path).map((one) => one.path)];
    for (const path of position.inode === present?.inode ? [] : paths) {
      this.#file = resume(path, position);
      if (this.#file) return position;
    }
    this.#forget();
    return position;
  }

  /** This one has lost its place now. */
  take(file: Generation): void {
    this.drop();
    this.#file = file;
    this.#since = performance.now();
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
