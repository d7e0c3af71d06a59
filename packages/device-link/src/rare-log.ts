/** Keys remembered at most; beyond that the oldest is forgotten, which only repeats a line early. */
const KEYS = 2000;

/**
 * Lets a line through once in `everyMs` for each key, so that a device that tries again every second fills no disk.
 * `pass` answers null for "not now", otherwise how many lines were held back since the last one.
 */
export class RareLog {
  readonly #everyMs: number;
  readonly #seen = new Map<string, { at: number; held: number }>();

  constructor(everyMs = 60_000) {
    this.#everyMs = everyMs;
  }

  pass(key: string, now = Date.now()): { heldBack: number } | null {
    const seen = this.#seen.get(key);
    if (seen && now - seen.at < this.#everyMs) {
      seen.held++;
      return null;
    }
    this.#seen.delete(key);
    this.#seen.set(key, { at: now, held: 0 });
    if (this.#seen.size > KEYS) this.#seen.delete(this.#seen.keys().next().value ?? key);
    return { heldBack: seen?.held ?? 0 };
  }
}
