import { closeSync, mkdirSync, openSync, readdirSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** An output that is longer does not stand in a list of results as a whole, bytes. */
const SHOWN = 20_000;
/** The longest that is kept of one output, bytes, and how many of them. */
const MOST = 64 * 1024 * 1024;
const MOST_FILES = 20;

/**
 * Keeps an output on the disk once there is more of it than results show, so that all of it can be fetched as a file. A disk
 * that refuses costs the file, not the command.
 */
export class WholeOutput {
  readonly #folder: string;
  readonly #name: string;
  #first: Buffer[] = [];
  #bytes = 0;
  #fd: number | null = null;
  #isLost = false;

  constructor(folder: string, name: string) {
    this.#folder = folder;
    this.#name = name;
  }

  add(chunk: Buffer): void {
    if (this.#isLost || this.#bytes >= MOST) return;
    const part = chunk.subarray(0, MOST - this.#bytes);
    this.#bytes += part.length;
    try {
      if (this.#fd !== null) writeSync(this.#fd, part);
      else {
        this.#first.push(Buffer.from(part));
        if (this.#bytes > SHOWN) this.#begin();
      }
    } catch {
      this.#lose();
    }
  }

  /** Path of the file; null where the output is short, or the disk took none of it. */
  end(): string | null {
    if (this.#fd === null) return null;
    closeSync(this.#fd);
    this.#fd = null;
    return this.#path;
  }

  get #path(): string {
    return join(this.#folder, this.#name);
  }

  #begin(): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    sweep(this.#folder, MOST_FILES - 1);
    this.#fd = openSync(this.#path, 'w', 0o600);
    for (const chunk of this.#first) writeSync(this.#fd, chunk);
    this.#first = [];
  }

  #lose(): void {
    this.#isLost = true;
    this.#first = [];
    if (this.#fd === null) return;
    closeSync(this.#fd);
    this.#fd = null;
    rmSync(this.#path, { force: true });
  }
}

/** Leaves the newest files. */
function sweep(folder: string, most: number): void {
  const files = readdirSync(folder).map((name) => join(folder, name));
  const age = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  for (const path of files.toSorted((a, b) => age(b) - age(a)).slice(most)) rmSync(path, { force: true });
}
