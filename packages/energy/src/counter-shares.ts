import { DIGITS, placesOf, roundTo } from './counter-readings.ts';
import type { Counted } from './counters.ts';

/** What was counted in an interval. */
export interface Share {
  /** With what is doubted; null where no gain lies in the interval. */
  amount: number | null;
  /** Part of the amount that lies in gaps. */
  estimated: number;
  /** Part of the amount that is beyond what can be counted. */
  doubted: number;
  /** Part of the interval between readings without a gap, ms. */
  coveredMs: number;
}

/**
 * Gains by intervals: where an edge lies between two readings, the gain is shared by time. `edges` are where intervals begin,
 * and last where the last one ends; rising. The amounts of intervals add up to that of all of them together.
 */
export function shareByIntervals(
  { gains, gaps }: Pick<Counted, 'gains' | 'gaps'>,
  edges: readonly number[],
): Share[] {
  const shares = edges.slice(1).map((): Share => ({ amount: null, estimated: 0, doubted: 0, coveredMs: 0 }));
  const digits = new Int8Array(shares.length).fill(DIGITS);
  const first = gains[0]?.from;
  const last = gains.at(-1)?.to;
  for (const gain of gains) {
    const { from, to, amount, isEstimated, isDoubted, value } = gain;
    const places = placesOf(amount, value);
    forEachPart(edges, from, to, (i, lo, hi) => {
      const part = partOf(amount, places, { from, to }, lo, hi);
      const share = shares[i] as Share;
      share.amount = (share.amount ?? 0) + part;
      if (isEstimated) share.estimated += part;
      if (isDoubted) share.doubted += part;
      if (places < (digits[i] as number)) digits[i] = places;
    });
  }
  if (first !== undefined && last !== undefined) {
    forEachPart(edges, first, last, (i, lo, hi) => {
      (shares[i] as Share).coveredMs += hi - lo;
    });
    for (const gap of gaps)
      forEachPart(edges, Math.max(first, gap.from), Math.min(last, gap.to), (i, lo, hi) => {
        (shares[i] as Share).coveredMs -= hi - lo;
      });
  }
  shares.forEach((share, i) => {
    const rounded = (one: number) => roundTo(one, digits[i] as number);
    if (share.amount !== null) share.amount = rounded(share.amount);
    share.estimated = rounded(share.estimated);
    share.doubted = rounded(share.doubted);
  });
  return shares;
}

/** Each interval that a span touches, with the part of the span that lies in it. */
function forEachPart(
  edges: readonly number[],
  from: number,
  to: number,
  each: (interval: number, lo: number, hi: number) => void,
): void {
  const count = edges.length - 1;
  if (count < 1 || to <= from) return;
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((edges[middle + 1] as number) > from) high = middle;
    else low = middle + 1;
  }
  for (let i = low; i < count && (edges[i] as number) < to; i++) {
    const lo = Math.max(from, edges[i] as number);
    const hi = Math.min(to, edges[i + 1] as number);
    if (hi > lo) each(i, lo, hi);
  }
}

/** The part of a gain between two instants. Both ends are rounded, so that parts add up to the whole. */
export function partOf(
  amount: number,
  places: number,
  { from, to }: { from: number; to: number },
  lo: number,
  hi: number,
) {
  const upTo = (at: number) =>
    at >= to ? amount : at <= from ? 0 : roundTo((amount * (at - from)) / (to - from), places);
  return upTo(hi) - upTo(lo);
}
