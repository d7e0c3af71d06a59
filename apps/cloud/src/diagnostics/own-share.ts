/** Kinds of things that one person can add in a day. What is counted already is counted on, whoever reports it. */
export class OwnShare {
  readonly #limit: number;
  #day = 0;
  readonly #kinds = new Map<string, Set<string>>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** False for one more than a person can have. */
  takes(person: string, kind: string, day: number): boolean {
    if (day !== this.#day) {
      this.#day = day;
      this.#kinds.clear();
    }
    const own = this.#kinds.get(person) ?? new Set();
    if (own.has(kind)) return true;
    if (own.size >= this.#limit) return false;
    this.#kinds.set(person, own.add(kind));
    return true;
  }
}
