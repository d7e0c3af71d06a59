import { expect, test } from 'vitest';
import { gapsIn } from './telemetry.weights.ts';

/** The rule as it reads: longer than three times the longer median of three pauses on either side. */
const plainly = (pauses: readonly number[]): boolean[] =>
  pauses.map((pause, i) => {
    const medians = [pauses.slice(Math.max(0, i - 3), i), pauses.slice(i + 1, i + 4)].map((some) => {
      const sorted = [...some].sort((a, b) => a - b);
      return sorted[Math.floor(sorted.length / 2)] ?? 0;
    });
    const usual = Math.max(...medians);
    return usual > 0 && pause > 3 * usual;
  });

test('gaps are found as the rule says, in streams of any length and with pauses of any kind', () => {
  let seed = 7;
  const random = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  for (let n = 0; n < 2000; n++) {
    const pauses = Array.from({ length: n % 12 }, () => Math.floor(random() ** 4 * 40) * (n % 3 ? 1 : 1000));
    expect(gapsIn(pauses), JSON.stringify(pauses)).toEqual(plainly(pauses));
  }
});
