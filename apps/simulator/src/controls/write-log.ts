import {
  appendFileSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { ControlState } from './control-state.ts';
import type { LostWh } from './lost-energy.ts';

/** What a master wrote, by the names of the points. */
export interface ControlWrite {
  /** Epoch ms, at a whole second. */
  at: number;
  unit: number;
  values: Record<string, number>;
}

/** All that was before the oldest write that is kept. */
export interface ControlBasis {
  at: number;
  states: Record<string, ControlState>;
  lost: LostWh;
}

export interface ControlHistory {
  basis: ControlBasis | null;
  writes: ControlWrite[];
}

/** Lines after which the older half becomes a basis. */
const MOST_LINES = 10_000;

/**
 * The writes that a plant has taken, one line of JSON each, so that a plant that starts again is where it was.
 *
 * A line that was cut off is left out. Without a file it is kept in memory alone.
 */
export class WriteLog {
  readonly #file: string | null;
  #lines = 0;

  constructor(file: string | null) {
    this.#file = file;
  }

  read(): ControlHistory {
    if (this.#file === null || !existsSync(this.#file)) return { basis: null, writes: [] };
    const text = readFileSync(this.#file, 'utf8');
    if (text !== '' && !text.endsWith('\n')) appendFileSync(this.#file, '\n');
    const history: ControlHistory = { basis: null, writes: [] };
    for (const line of text.split('\n')) {
      const entry = parsed(line);
      if (entry === null) continue;
      if ('states' in entry) history.basis = entry;
      else history.writes.push(entry);
    }
    this.#lines = history.writes.length;
    return history;
  }

  /** True when it is time to fold. */
  append(write: ControlWrite): boolean {
    this.#lines++;
    if (this.#file !== null) {
      mkdirSync(dirname(this.#file), { recursive: true });
      appendFileSync(this.#file, `${JSON.stringify(write)}\n`);
    }
    return this.#lines >= MOST_LINES;
  }

  /** Puts a shorter history in the place of the file. */
  replace({ basis, writes }: ControlHistory): void {
    this.#lines = writes.length;
    if (this.#file === null) return;
    const lines = [...(basis ? [basis] : []), ...writes].map((entry) => `${JSON.stringify(entry)}\n`);
    const file = openSync(`${this.#file}.new`, 'w');
    writeSync(file, lines.join(''));
    fsyncSync(file);
    closeSync(file);
    renameSync(`${this.#file}.new`, this.#file);
  }
}

function parsed(line: string): ControlWrite | ControlBasis | null {
  if (line === '') return null;
  try {
    return JSON.parse(line) as ControlWrite | ControlBasis;
  } catch {
    // The process ended in the middle of it.
    return null;
  }
}
