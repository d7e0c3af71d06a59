/** Both ends included. */
export type Range = readonly [from: number, to: number];

/**
 * A set of whole numbers kept as sorted ranges that neither touch nor overlap. Cheap while the numbers come mostly in
 * order: adding at the end, or next to it, touches one range.
 */
export class IntervalSet {
  readonly #from: number[] = [];
  readonly #to: number[] = [];

  constructor(ranges: Iterable<Range> = []) {
    for (const [from, to] of ranges) this.add(from, to);
  }

  /** Number of ranges. */
  get size(): number {
    return this.#from.length;
  }

  /** Greatest number; -Infinity when empty. */
  get max(): number {
    return this.#to.at(-1) ?? Number.NEGATIVE_INFINITY;
  }

  /** Smallest number; Infinity when empty. */
  get min(): number {
    return this.#from[0] ?? Number.POSITIVE_INFINITY;
  }

  has(number: number): boolean {
    const at = this.#firstEndingAt(number);
    return at < this.#from.length && (this.#from[at] as number) <= number;
  }

  /** Greatest number of the set below this one; -Infinity when there is none. */
  before(number: number): number {
    const at = this.#firstEndingAt(number);
    if (at < this.#from.length && (this.#from[at] as number) < number) return number - 1;
    return this.#to[at - 1] ?? Number.NEGATIVE_INFINITY;
  }

  /** True when no number of the range is in the set. */
  isFreeOf(from: number, to: number): boolean {
    const at = this.#firstEndingAt(from);
    return at === this.#from.length || (this.#from[at] as number) > to;
  }

  /** True when every number of the range is in the set. */
  isFull(from: number, to: number): boolean {
    const at = this.#firstEndingAt(from);
    return at < this.#from.length && (this.#from[at] as number) <= from && (this.#to[at] as number) >= to;
  }

  add(from: number, to: number): void {
    // Ranges that touch or overlap lie from `at` to before `end`.
    const at = this.#firstEndingAt(from - 1);
    let end = at;
    while (end < this.#from.length && (this.#from[end] as number) <= to + 1) end++;
    if (end > at) {
      from = Math.min(from, this.#from[at] as number);
      to = Math.max(to, this.#to[end - 1] as number);
    }
    if (end - at === 1) {
      this.#from[at] = from;
      this.#to[at] = to;
    } else {
      this.#from.splice(at, end - at, from);
      this.#to.splice(at, end - at, to);
    }
  }

  remove(from: number, to: number): void {
    const at = this.#firstEndingAt(from);
    let end = at;
    const rest: Range[] = [];
    while (end < this.#from.length && (this.#from[end] as number) <= to) {
      if ((this.#from[end] as number) < from) rest.push([this.#from[end] as number, from - 1]);
      if ((this.#to[end] as number) > to) rest.push([to + 1, this.#to[end] as number]);
      end++;
    }
    this.#from.splice(at, end - at, ...rest.map((range) => range[0]));
    this.#to.splice(at, end - at, ...rest.map((range) => range[1]));
  }

  /** Ranges between the two ends that are not in the set, in order. */
  *holes(from: number, to: number): Generator<Range> {
    let next = from;
    for (let at = this.#firstEndingAt(from); at < this.#from.length && next <= to; at++) {
      const start = this.#from[at] as number;
      if (start > to) break;
      if (start > next) yield [next, start - 1];
      next = (this.#to[at] as number) + 1;
    }
    if (next <= to) yield [next, to];
  }

  /** How many numbers between the two ends are in the set. */
  count(from: number, to: number): number {
    let missing = 0;
    for (const hole of this.holes(from, to)) missing += hole[1] - hole[0] + 1;
    return Math.max(0, to - from + 1) - missing;
  }

  *[Symbol.iterator](): Generator<Range> {
    for (let at = 0; at < this.#from.length; at++) yield [this.#from[at] as number, this.#to[at] as number];
  }

  /** First range that ends at the number or later; the number of ranges when there is none. */
  #firstEndingAt(number: number): number {
    const last = this.#to.length - 1;
    // Most calls are about the newest numbers.
    if (last < 0 || (this.#to[last] as number) < number) return last + 1;
    let low = 0;
    let high = last;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#to[middle] as number) < number) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Sorts numbers in place and joins neighbours to ranges; a number that stands twice counts once. */
export function rangesOf(numbers: number[]): Range[] {
  if (!isRising(numbers)) numbers.sort((a, b) => a - b);
  const ranges: [number, number][] = [];
  let open: [number, number] | undefined;
  for (const number of numbers) {
    if (open && number <= open[1] + 1) open[1] = number;
    else {
      open = [number, number];
      ranges.push(open);
    }
  }
  return ranges;
}

function isRising(numbers: readonly number[]): boolean {
  for (let at = 1; at < numbers.length; at++) {
    if ((numbers[at] as number) < (numbers[at - 1] as number)) return false;
  }
  return true;
}
