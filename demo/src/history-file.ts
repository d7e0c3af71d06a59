import {
  appendFileSync,
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { DAY_MS } from './history-plan.ts';

const TAIL_BYTES = 65_536;

/**
 * The history of one source as a `latest.csv` that only grows: whole days, newest first, each from its morning on.
 *
 * The file itself tells how far it came, so that a restart repeats nothing: its last line names day and time.
 */
export class HistoryFile {
  readonly #path: string;
  readonly #header: string;
  /** Epoch ms of the last line; null while there is none. */
  lastAt: number | null = null;

  constructor(path: string, header: string) {
    this.#path = path;
    this.#header = header;
  }

  open(): void {
    if (!existsSync(this.#path)) {
      mkdirSync(dirname(this.#path), { recursive: true });
      appendFileSync(this.#path, `${this.#header}\n`);
      return;
    }
    const last = endWithWholeLine(this.#path);
    if (last === '') appendFileSync(this.#path, `${this.#header}\n`);
    else if (!last.startsWith('#')) this.lastAt = Date.parse(isoOf(last.slice(0, last.indexOf(','))));
  }

  /** Whether a line for this instant is still to be written. */
  needs(at: number): boolean {
    if (this.lastAt === null) return true;
    const day = Math.floor(at / DAY_MS);
    const lastDay = Math.floor(this.lastAt / DAY_MS);
    return day === lastDay ? at > this.lastAt : day < lastDay;
  }

  append(lines: string[], lastAt: number): void {
    appendFileSync(this.#path, `${lines.join('\n')}\n`);
    this.lastAt = lastAt;
  }
}

/** Cuts what a kill left of a line, and gives the last whole one. Nobody reads a line before its end is there. */
function endWithWholeLine(path: string): string {
  const file = openSync(path, 'r+');
  try {
    const { size } = fstatSync(file);
    const bytes = Buffer.alloc(Math.min(size, TAIL_BYTES));
    readSync(file, bytes, 0, bytes.length, size - bytes.length);
    const end = bytes.lastIndexOf(10) + 1;
    if (end < bytes.length) ftruncateSync(file, size - bytes.length + end);
    return bytes.toString('utf8', 0, end).trimEnd().split('\n').at(-1) ?? '';
  } finally {
    closeSync(file);
  }
}

/** `…+0200` with the colon that `Date.parse` wants. */
const isoOf = (stamp: string): string => stamp.replace(/([+-]\d{2})(\d{2})$/, '$1:$2');
