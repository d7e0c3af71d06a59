/** The middle of values, of two the mean; null where there is none. Gaps: null and NaN do not count. */
export function median(values: Iterable<number | null>): number | null {
  return quantile(values, 0.5);
}

/** The value under which a part of all lies, between two by straight line; null where there is none. */
export function quantile(values: Iterable<number | null>, part: number): number | null {
  const sorted = [...values].filter((value) => value !== null && !Number.isNaN(value)) as number[];
  sorted.sort((a, b) => a - b);
  return sorted.length === 0 ? null : atRank(sorted, (sorted.length - 1) * part);
}

/** Value at a rank between 0 and length - 1 of a sorted list. */
export function atRank(sorted: ArrayLike<number>, rank: number): number {
  const held = Math.min(sorted.length - 1, Math.max(0, rank));
  const below = Math.floor(held);
  const low = sorted[below] as number;
  const high = sorted[Math.min(sorted.length - 1, below + 1)] as number;
  return low + (high - low) * (held - below);
}

/** Fewest values that say what is usual. */
const FEWEST = 5;

/**
 * A value beyond these limits is unusual: 1.5 times the width of the middle half, added at both of its ends.
 *
 * Null with fewer than five values. Source: Tukey 1977, Exploratory Data Analysis.
 */
export function tukeyFences(
  values: Iterable<number | null>,
  factor = 1.5,
): { low: number; high: number } | null {
  const known = [...values].filter((value) => value !== null && !Number.isNaN(value)) as number[];
  if (known.length < FEWEST) return null;
  const [low, high] = [quantile(known, 0.25) as number, quantile(known, 0.75) as number];
  return { low: low - factor * (high - low), high: high + factor * (high - low) };
}

/** Of a normal distribution: the middle distance from the middle, as a part of the standard deviation. */
const MAD_SCALE = 0.6745;

/**
 * Marks values that lie far from the middle of their neighbours: more than `limit` scaled middle distances.
 *
 * Shapes: as long as the values. `window` values around each, itself included. Gaps: null is never marked and is no
 * neighbour. Where all neighbours are equal nothing is marked. Source: Hampel 1974; window and limit as in pvanalytics.
 */
export function hampelOutliers(values: readonly (number | null)[], window = 5, limit = 3): boolean[] {
  const half = Math.floor(window / 2);
  return values.map((value, i) => {
    if (value === null) return false;
    const near = values.slice(Math.max(0, i - half), i + half + 1).filter((one) => one !== null);
    if (near.length < 3) return false;
    const middle = median(near) as number;
    const spread = median(near.map((one) => Math.abs(one - middle))) as number;
    return spread > 0 && (MAD_SCALE * Math.abs(value - middle)) / spread > limit;
  });
}

/** How many standard deviations each value lies from the mean; null for gaps and where all are equal. */
export function zScores(values: readonly (number | null)[]): (number | null)[] {
  const known = values.filter((value) => value !== null);
  const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
  const deviation = Math.sqrt(known.reduce((sum, value) => sum + (value - mean) ** 2, 0) / known.length);
  return values.map((value) => (value === null || !(deviation > 0) ? null : (value - mean) / deviation));
}
