/** A complete month may be this much shorter than another. */
const WHOLE = 0.9;

/**
 * Indexes of the incomplete intervals: those that had not ended at the instant `at`, and the first and the last one if the
 * range cuts them short. `edges` (epoch ms) has one entry more than there are intervals.
 */
export function partialIntervals(edges: readonly number[], at: number): ReadonlySet<number> {
  const lengths = edges.slice(1).map((end, i) => end - (edges[i] as number));
  const shortest = Math.min(...lengths.slice(1, -1));
  const partial = lengths.flatMap((length, i) => {
    const [from, to] = [edges[i] as number, edges[i + 1] as number];
    const isNow = from <= at && at <= to;
    const isEnd = i === 0 || i === lengths.length - 1;
    return isNow || (isEnd && Number.isFinite(shortest) && length < WHOLE * shortest) ? [i] : [];
  });
  return new Set(partial);
}
