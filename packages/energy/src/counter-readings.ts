/** What a counter showed, in its own unit, at an instant in epoch ms. */
export interface CounterReading {
  at: number;
  value: number;
  /** So many readings between the one before and this one were left out by `condense`. */
  left?: number;
}

/** A jump is at least so much of the whole way. */
export const JUMP = 0.75;
/** Digits of a reading that mean something: a double has 15 to 17. */
export const DIGITS = 13;

export const valueAt = (all: readonly CounterReading[], i: number): number =>
  (all[i] as CounterReading).value;

/** By time, one of each instant, with the digits that mean something. */
export function inOrder(readings: readonly CounterReading[]): CounterReading[] {
  const isSorted = readings.every(({ at }, i) => i === 0 || at >= (readings[i - 1] as CounterReading).at);
  const sorted = isSorted ? readings : readings.toSorted((a, b) => a.at - b.at);
  const all: CounterReading[] = [];
  for (const { at, value, left } of sorted) {
    if (!Number.isFinite(value)) continue;
    const reading = { at, value: roundTo(value, placesOf(value, value)), ...(left ? { left } : {}) };
    if (all.at(-1)?.at === at) all[all.length - 1] = reading;
    else all.push(reading);
  }
  return all;
}

/** Decimal places that mean something beside numbers of this size. */
export function placesOf(a: number, b: number): number {
  const size = Math.max(Math.abs(a), Math.abs(b));
  return size === 0 ? DIGITS : Math.max(0, Math.min(DIGITS, DIGITS - Math.ceil(Math.log10(size))));
}

export function roundTo(value: number, places: number): number {
  const scale = 10 ** places;
  const scaled = value * scale;
  return Math.abs(scaled) > Number.MAX_SAFE_INTEGER ? value : Math.round(scaled) / scale;
}
