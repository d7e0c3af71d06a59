/**
 * Counts failures by key over a sliding time, in memory.
 *
 * Units: ms. A key is forgotten when its last failure is older than the window.
 */
export class Attempts {
  readonly #limit: number;
  readonly #windowMs: number;
  readonly #failures = new Map<string, number[]>();

  constructor(limit: number, windowMs: number) {
    this.#limit = limit;
    this.#windowMs = windowMs;
  }

  /** ms until the key may try again; 0 when it may now. */
  waitMs(key: string, now = Date.now()): number {
    const recent = this.#recent(key, now);
    const oldest = recent[recent.length - this.#limit];
    return oldest === undefined ? 0 : oldest + this.#windowMs - now;
  }

  fail(key: string, now = Date.now()): void {
    const recent = this.#recent(key, now);
    recent.push(now);
    this.#failures.set(key, recent.slice(-this.#limit));
    if (this.#failures.size > 10_000) this.#forgetOld(now);
  }

  succeed(key: string): void {
    this.#failures.delete(key);
  }

  #recent(key: string, now: number): number[] {
    return (this.#failures.get(key) ?? []).filter((at) => at > now - this.#windowMs);
  }

  #forgetOld(now: number): void {
    for (const key of this.#failures.keys())
      if (this.#recent(key, now).length === 0) this.#failures.delete(key);
  }
}
