import { expect, test } from 'vitest';
import { hampelOutliers, median, quantile, tukeyFences, zScores } from './statistics.ts';

test('the middle and the quarters leave gaps out', () => {
  expect(median([3, null, 1, Number.NaN, 2])).toBe(2);
  expect(median([1, 2, 3, 4])).toBe(2.5);
  expect(median([null])).toBeNull();
  expect(quantile([1, 2, 3, 4, 5], 0.25)).toBe(2);
});

test('Tukey leaves the usual in and needs five values', () => {
  const fences = tukeyFences([10, 11, 12, 13, 14, 100]);
  expect(fences?.low).toBeLessThan(10);
  expect(fences?.high).toBeLessThan(100);
  expect(fences?.high).toBeGreaterThan(14);
  expect(tukeyFences([1, 2, 3, 4])).toBeNull();
});

test('Hampel marks a value that lies far from its neighbours', () => {
  expect(hampelOutliers([10, 11, 10, 50, 11, 10, 12])).toEqual([
    false,
    false,
    false,
    true,
    false,
    false,
    false,
  ]);
  expect(hampelOutliers([10, 10, 10, 10])).toEqual([false, false, false, false]);
  expect(hampelOutliers([10, null, 50])).toEqual([false, false, false]);
});

test('scores count standard deviations', () => {
  expect(zScores([1, 3, null])).toEqual([-1, 1, null]);
  expect(zScores([2, 2])).toEqual([null, null]);
});
