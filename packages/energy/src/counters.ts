/** What a bucket of a counter held: its least and its largest value. */
export interface CounterBucket {
  at: number;
  min: number;
  max: number;
}

/** Values further on that are looked at to tell a slip from a new beginning. */
const LOOK_AHEAD = 3;

/**
 * What a counter counted from an instant on, in its own unit; null where it said nothing since then.
 *
 * Counts begin at the last value before `from`, so that nothing is lost over the border, or at the first one after it.
 * Zeros are no counts: devices send them while they start. A value that is gone at the next reading was a slip. A
 * counter that fell below half of what it was has started over and counts from zero; one that fell less was set right.
 */
export function counterIncrease(buckets: readonly CounterBucket[], from: number): number | null {
  const counted = buckets.filter(({ max }) => max > 0);
  const before = counted.findLast(({ at }) => at < from);
  const within = counted.filter(({ at }) => at >= from);
  const first = within[0];
  if (!first) return null;
  let last = before?.max ?? (first.min > 0 ? first.min : first.max);
  let increase = 0;
  within.forEach(({ max }, i) => {
    const next = within[i + 1]?.max;
    const isSlipUp = next !== undefined && max > next && next >= last;
    const later = within.slice(i + 1, i + 1 + LOOK_AHEAD);
    const isSlipDown = max < last && later.some((one) => one.max >= last);
    if (isSlipUp || isSlipDown) return;
    if (max >= last) increase += max - last;
    else if (max < last / 2) increase += max;
    last = max;
  });
  return increase;
}
