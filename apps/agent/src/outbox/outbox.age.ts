/** A stop of the machine counts as at most so long in the age of an event, because its clock may be wrong, ms. */
const MAX_STOP_MS = 86_400_000;

/** Age of an outbox, by a clock that does not jump: the time that agents ran on it, and their stops. */
export class OutboxAge {
  #atOpenMs = 0;
  readonly #openedAt = performance.now();

  /** Goes on from the age that was saved last, ms. */
  resume(savedMs: number): void {
    this.#atOpenMs = savedMs;
  }

  /** Counts the stop since the agent before wrote last, epoch ms of the wall clock. */
  addStop(lastWallAt: number): void {
    this.#atOpenMs += Math.min(Math.max(Date.now() - lastWallAt, 0), MAX_STOP_MS);
  }

  /** Whole ms. */
  get ms(): number {
    return Math.round(this.#atOpenMs + performance.now() - this.#openedAt);
  }
}
