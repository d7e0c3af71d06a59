/** A month may be shorter than another one by so much and be whole. */
const WHOLE = 0.9;

/**
 * Places of the intervals that are not whole: those that had not ended `at` that instant, and the first and the last one
 * where the range cuts them, so that they are shorter than the others. `edges` has one more than there are intervals, epoch ms.
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
