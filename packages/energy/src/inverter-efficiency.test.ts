import { expect, test } from 'vitest';
import { inverterEfficiency } from './inverter-efficiency.ts';

/** Efficiency of each load of 10 kW. */
const CURVE: [load: number, efficiency: number][] = [
  [0.05, 0.92],
  [0.1, 0.95],
  [0.2, 0.965],
  [0.3, 0.97],
  [0.5, 0.975],
  [0.75, 0.974],
  [1, 0.97],
];
const run = (curve: typeof CURVE) =>
  inverterEfficiency(
    curve.map(([load]) => load * 10),
    curve.map(([load, efficiency]) => load * 10 * efficiency),
    10,
  );

test('European and CEC efficiency weigh what was seen at each load', () => {
  // At 75 % the European bins of 50 % and 100 % are equally near; without it each bin holds its own load only.
  const { european } = run(CURVE.filter(([load]) => load !== 0.75));
  expect(european.value).toBeCloseTo(
    0.03 * 0.92 + 0.06 * 0.95 + 0.13 * 0.965 + 0.1 * 0.97 + 0.48 * 0.975 + 0.2 * 0.97,
    9,
  );
  const { cec } = run(CURVE.filter(([load]) => load !== 0.05));
  expect(cec.value).toBeCloseTo(
    0.04 * 0.95 + 0.05 * 0.965 + 0.12 * 0.97 + 0.21 * 0.975 + 0.53 * 0.974 + 0.05 * 0.97,
    9,
  );
});

test('a load that was never seen leaves no weighted figure, the energy has one', () => {
  const { european, cec, overall, europeanBins } = run(CURVE.filter(([load]) => load < 0.5));
  expect(european).toEqual({ value: null, reason: 'empty_bin' });
  expect(cec.reason).toBe('empty_bin');
  expect(overall.value).toBeGreaterThan(0.95);
  expect(europeanBins.map(({ intervals }) => intervals)).toEqual([1, 1, 1, 1, 0, 0]);
});

test('starting inverters, gaps and those that give more than they take do not count', () => {
  const whole = run(CURVE);
  const noisy = inverterEfficiency(
    [...CURVE.map(([load]) => load * 10), 0.4, 5, Number.NaN, 5],
    [...CURVE.map(([load, efficiency]) => load * 10 * efficiency), 0.1, 5.2, 3, Number.NaN],
    10,
  );
  expect(noisy.overall).toEqual(whole.overall);
  expect(noisy.european).toEqual(whole.european);
  expect(noisy.discarded).toBe(1);
});

test('a bin is the sum of AC by the sum of DC, and knows how many intervals it wants', () => {
  const dc = [5, 5.5];
  const { cecBins } = inverterEfficiency(dc, [4.8, 5.39], 10, { leastIntervals: 2 });
  expect(cecBins[3]?.efficiency.value).toBeCloseTo(10.19 / 10.5, 9);
  expect(cecBins[3]?.meanLoad).toBeCloseTo(0.525, 9);
  expect(inverterEfficiency([5], [4.8], 10, { leastIntervals: 2 }).cecBins[3]?.efficiency.reason).toBe(
    'empty_bin',
  );
});

test('without a rating there is no load', () => {
  expect(inverterEfficiency([5], [4.8], 0).overall.reason).toBe('no_rating');
  expect(inverterEfficiency([5], [4.8], null).european.reason).toBe('no_rating');
});
