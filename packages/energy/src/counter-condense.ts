import { type CounterReading, inOrder, JUMP, valueAt } from './counter-readings.ts';

const HOUR_MS = 3_600_000;

/**
 * The readings that decide what all of them come to, oldest first: `countGains` of what is left of several stretches of time,
 * one after the other, gives the same amounts as of all readings, wherever the stretches are cut.
 *
 * Left out is what rises steadily: of a rise its ends stay, and the steps that are a jump as seen from its beginning or its end,
 * each with the reading since which the counter had stood still. With `mostPerHour` also those that are steeper: what is doubted
 * is the same then.
 */
export function condense(
  readings: readonly CounterReading[],
  mostPerHour = Number.POSITIVE_INFINITY,
): CounterReading[] {
  const most = mostPerHour / HOUR_MS;
  const all = inOrder(readings);
  const stays = new Uint8Array(all.length);
  for (let from = 0; from < all.length; ) {
    let to = from;
    while (to + 1 < all.length && valueAt(all, to + 1) >= valueAt(all, to)) to++;
    stays[from] = 1;
    stays[to] = 1;
    const [low, high] = [valueAt(all, from), valueAt(all, to)];
    let stood = from;
    for (let k = from + 1; k <= to; k++) {
      const [a, b] = [valueAt(all, k - 1), valueAt(all, k)];
      const bottom = b > 0 ? Math.max(0, low) : low;
      const isJump = b - a >= JUMP * (b - bottom) || b - a >= JUMP * (high - a);
      const isSteep = b - a > most * ((all[k] as CounterReading).at - (all[k - 1] as CounterReading).at);
      if (b > a && (isJump || isSteep || (a <= 0 && b > 0))) {
        stays[stood] = 1;
        stays[k - 1] = 1;
        stays[k] = 1;
      }
      if (b > a) stood = k;
    }
    from = to + 1;
  }
  const kept: CounterReading[] = [];
  let left = 0;
  all.forEach(({ at, value, left: before = 0 }, i) => {
    left += before;
    if (stays[i]) {
      kept.push(left > 0 ? { at, value, left } : { at, value });
      left = 0;
    } else left++;
  });
  return kept;
}
