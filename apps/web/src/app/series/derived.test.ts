import { expect, test } from 'vitest';
import { classesOf, distributionOf, durationOf, heatOf, scatterOf, valuesOf } from './derived.ts';

const HOUR = 3_600_000;
const points = (values: (number | null)[], from = 0, stepMs = HOUR) => ({
  stepMs,
  times: values.map((_, i) => from + i * HOUR),
  min: values,
  avg: values,
  max: values,
  stats: { count: values.length, min: null, avg: null, max: null, last: null },
});

test('a scatter has the values of both lines at the same instants, and none where one is missing', () => {
  expect(scatterOf(points([3, 1, null, 2]), points([30, 10, 25, null]))).toEqual({ x: [1, 3], y: [10, 30] });
});

test('classes have round edges and hold every value once', () => {
  const values = [0, 0.4, 9.99, 10, 3.3];
  const edges = classesOf(values, 5);
  expect(edges.slice(0, 3)).toEqual([0, 2, 4]);
  const shares = distributionOf(values, edges);
  expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(100, 9);
  expect(shares[0]).toBe(40);
  expect(classesOf([])).toEqual([]);
  expect(distributionOf([5, 5], classesOf([5, 5]))).toContain(100);
});

test('a duration curve falls, over the share of the time in which each value is reached', () => {
  expect(durationOf(valuesOf(points([1, 4, null, 2, 3])))).toEqual({ x: [25, 50, 75, 100], y: [4, 3, 2, 1] });
});

test('the hours of a heat map are those of the zone, on the day when clocks go back too', () => {
  // 25 hours from midnight in Berlin, 25 October 2026; the hour from 2 to 3 comes twice.
  const { cells, days } = heatOf(
    points(
      Array.from({ length: 26 }, (_, i) => i),
      Date.UTC(2026, 9, 24, 22),
    ),
    'Europe/Berlin',
  );
  expect(days).toHaveLength(2);
  expect(cells.filter(({ day }) => day === 0)).toHaveLength(24);
  expect(cells.find(({ day, hour }) => day === 0 && hour === 2)?.value).toBe(3);
  expect(cells.find(({ day, hour }) => day === 0 && hour === 23)?.value).toBe(24);
  expect(cells.find(({ day }) => day === 1)).toEqual({ day: 1, hour: 0, value: 25 });
});
