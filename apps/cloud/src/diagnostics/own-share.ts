/** Limits how many different kinds one person can add in a day. */
export class OwnShare {
  readonly #limit: number;
  #day = 0;
  readonly #kinds = new Map<string, Set<string>>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** False if the kind is new for this person and they have reached the limit. */
  takes(person: string, kind: string, day: number): boolean {
    if (day !== this.#day) {
      this.#day = day;
      this.#kinds.clear();
    }
    const kinds = this.#kinds.get(person) ?? new Set();
    if (kinds.has(kind)) return true;
    if (kinds.size >= this.#limit) return false;
    this.#kinds.set(person, kinds.add(kind));
    return true;
  }
}
