import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { WrittenHistory } from '@albedo/contract/demo/demo.schema';
import { HISTORY_DAYS } from './history-plan.ts';

/** The file in which the cloud reads the progress of the history. */
export const progressFile = (dataDir: string): string => join(dataDir, 'demo/history.json');

/** The file is written no more often than this, ms. */
const EVERY_MS = 1000;
/** The time left is estimated from the speed over this time, ms. */
const SPEED_MS = 30_000;

/** Keeps the progress of the history in a file. */
export class HistoryProgress {
  readonly #path: string;
  readonly #all: number;
  readonly #days: number;
  readonly #now: () => number;
  /** Lines left at recent times. */
  readonly #marks: { at: number; left: number }[] = [];
  #writtenAt = Number.NEGATIVE_INFINITY;

  /** `all` is how many lines the history has, `days` how far it goes back. */
  constructor({
    path,
    all,
    days,
    now = Date.now,
  }: {
    path: string;
    all: number;
    days: number;
    now?: () => number;
  }) {
    this.#path = path;
    this.#all = all;
    this.#days = days;
    this.#now = now;
  }

  /** Notes how many lines are left, and from when on (epoch ms) the history of every plant is complete. */
  tell(left: number, wholeFrom: number | null): void {
    const at = this.#now();
    if (left > 0 && at - this.#writtenAt < EVERY_MS) return;
    this.#writtenAt = at;
    this.#marks.push({ at, left });
    while (this.#marks.length > 2 && at - (this.#marks[0]?.at ?? at) > SPEED_MS) this.#marks.shift();
    const history: WrittenHistory = {
      at,
      days: this.#days,
      share: this.#all === 0 ? 1 : 1 - left / this.#all,
      msLeft: left === 0 ? 0 : this.#msLeft(at, left),
      wholeFrom,
    };
    put(this.#path, history);
  }

  /** Null until there is enough to estimate from. */
  #msLeft(at: number, left: number): number | null {
    const first = this.#marks[0];
    if (!first || at - first.at < 5000 || first.left <= left) return null;
    return Math.round((left * (at - first.at)) / (first.left - left));
  }
}

/** Announces a history before its first line is written; progress of an earlier start is kept. */
export function expectHistory(dataDir: string): void {
  const path = progressFile(dataDir);
  if (existsSync(path)) return;
  put(path, { at: Date.now(), days: HISTORY_DAYS, share: 0, msLeft: null, wholeFrom: null });
}

/** Written under another name first, so that nobody reads half a file. */
function put(path: string, history: WrittenHistory): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.new`, JSON.stringify(history));
  renameSync(`${path}.new`, path);
}
