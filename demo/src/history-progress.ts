import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { WrittenHistory } from '@albedo/contract/demo/demo.schema';
import { HISTORY_DAYS } from './history-plan.ts';

/** Where the cloud reads how far the history is. */
export const progressFile = (dataDir: string): string => join(dataDir, 'demo/history.json');

/** The file is written no more often than this, ms. */
const EVERY_MS = 1000;
/** What is left is judged by how fast it went over this time, ms. */
const SPEED_MS = 30_000;

/** Keeps in a file how far the history has been written, for those who wait for it. */
export class HistoryProgress {
  readonly #path: string;
  readonly #all: number;
  readonly #days: number;
  readonly #now: () => number;
  /** What was left at which time, over the last while. */
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

  /** So many lines are left; from `wholeFrom` on (epoch ms), nothing is missing of any plant. */
  tell(left: number, wholeFrom: number | null): void {
    const at = this.#now();
    if (left > 0 && at - this.#writtenAt < EVERY_MS) return;
    this.#writtenAt = at;
    this.#marks.push({ at, left });
    while (this.#marks.length > 2 && at - (this.#marks[0]?.at ?? at) > SPEED_MS) this.#marks.shift();
    const told: WrittenHistory = {
      at,
      days: this.#days,
      share: this.#all === 0 ? 1 : 1 - left / this.#all,
      msLeft: left === 0 ? 0 : this.#msLeft(at, left),
      wholeFrom,
    };
    put(this.#path, told);
  }

  /** Null as long as nobody can know. */
  #msLeft(at: number, left: number): number | null {
    const first = this.#marks[0];
    if (!first || at - first.at < 5000 || first.left <= left) return null;
    return Math.round((left * (at - first.at)) / (first.left - left));
  }
}

/** Says that a history is on its way before the first line of it is written; what an earlier start wrote stays. */
export function expectHistory(dataDir: string): void {
  const path = progressFile(dataDir);
  if (existsSync(path)) return;
  put(path, { at: Date.now(), days: HISTORY_DAYS, share: 0, msLeft: null, wholeFrom: null });
}

/** Under another name first, so that nobody reads half of it. */
function put(path: string, told: WrittenHistory): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.new`, JSON.stringify(told));
  renameSync(`${path}.new`, path);
}
