/** A clock that jumps back further than this starts a new drawing; a sample that is only late is left out of it. */
const JUMP_BACK_MS = 60_000;

/**
 * The newest samples of a live feed, oldest first, in columns as the chart reads them.
 *
 * It holds at least `capacity` samples and at most twice as many: dropping the older half now and then costs less than
 * moving everything at each sample. `version` rises with every change.
 */
export class LiveBuffer {
  readonly fields: readonly string[];
  readonly #capacity: number;
  times: number[] = [];
  columns: (number | null)[][];
  version = 0;
  /** Clock of the device minus clock of the browser, ms, as the fastest sample showed it; null before the first. */
  #clockOffsetMs: number | null = null;

  constructor(fields: readonly string[], capacity = 20_000) {
    this.fields = fields;
    this.#capacity = capacity;
    this.columns = fields.map(() => []);
  }

  /** Takes in one sample; values that are no numbers are gaps of the line. `receivedAt` is the browser's clock. */
  push(at: number, values: Readonly<Record<string, number | string | null>>, receivedAt: number): void {
    const last = this.times.at(-1);
    if (last !== undefined && at < last) {
      if (at > last - JUMP_BACK_MS) return;
      this.clear();
    }
    const isSame = last === at && this.times.length > 0;
    if (!isSame) this.times.push(at);
    for (const [index, field] of this.fields.entries()) {
      const value = values[field];
      const column = this.columns[index];
      if (!column) continue;
      if (isSame && value === undefined) continue;
      const shown = typeof value === 'number' && Number.isFinite(value) ? value : null;
      if (isSame) column[column.length - 1] = shown;
      else column.push(shown);
    }
    this.#clockOffsetMs = Math.max(this.#clockOffsetMs ?? Number.NEGATIVE_INFINITY, at - receivedAt);
    this.#trim();
    this.version++;
  }

  /** Where the right edge of the chart is at the browser's time `now`: the device's present. */
  edgeAt(now: number): number {
    return Math.max(this.times.at(-1) ?? Number.NEGATIVE_INFINITY, now + (this.#clockOffsetMs ?? 0));
  }

  clear(): void {
    this.times = [];
    this.columns = this.fields.map(() => []);
    this.#clockOffsetMs = null;
    this.version++;
  }

  #trim(): void {
    if (this.times.length < this.#capacity * 2) return;
    this.times = this.times.slice(-this.#capacity);
    this.columns = this.columns.map((column) => column.slice(-this.#capacity));
  }
}
