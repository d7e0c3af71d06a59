import { expect, test } from 'vitest';
import { classesOf, distributionOf, durationOf, heatOf, heldOf, scatterOf } from './derived.ts';

const HOUR = 3_600_000;
const points = (values: (number | null)[], from = 0, stepMs = HOUR) => ({
  stepMs,
  times: values.map((_, i) => from + i * HOUR),
  min: values,
  avg: values,
  max: values,
  stats: { count: values.length, min: null, avg: null, max: null, last: null },
});

const alike = (values: readonly number[]) => values.map((value) => ({ value, ms: 1 }));

test('a scatter has the values of both lines at the same instants, and none where one is missing', () => {
  expect(scatterOf(points([3, 1, null, 2]), points([30, 10, 25, null]))).toEqual({ x: [1, 3], y: [10, 30] });
});

test('classes have round edges and hold every value once', () => {
  const values = [0, 0.4, 9.99, 10, 3.3];
  const edges = classesOf(values, 5);
  expect(edges.slice(0, 3)).toEqual([0, 2, 4]);
  const shares = distributionOf(alike(values), edges);
  expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(100, 9);
  expect(shares[0]).toBe(40);
  expect(classesOf([])).toEqual([]);
  expect(distributionOf(alike([5, 5]), classesOf([5, 5]))).toContain(100);
});

test('a duration curve falls, over the share of the time in which each value is reached', () => {
  expect(durationOf(heldOf(points([1, 4, null, 2, 3])))).toEqual({ x: [25, 50, 75, 100], y: [4, 3, 2, 1] });
});

test('a value counts as long as it held: ten samples of one minute are no more than one', () => {
  const MINUTE = 60_000;
  // 10 kW for two hours, then 100 kW for one hour in samples of a minute, then a gap.
  const times = [0, HOUR, ...Array.from({ length: 60 }, (_, i) => 2 * HOUR + i * MINUTE), 3 * HOUR, 4 * HOUR];
  const avg = [10, 10, ...Array(60).fill(100), 0, null];
  const held = heldOf({ times, avg, stepMs: 0 });
  const { x, y } = durationOf(held);
  const mean = y.reduce((sum, value, i) => sum + value * ((x[i] ?? 0) - (x[i - 1] ?? 0)), 0) / 100;
  expect(mean).toBeCloseTo((2 * 10 + 100) / 3, 9);
  expect(x[y.lastIndexOf(100)]).toBeCloseTo(100 / 3, 9);
  expect(distributionOf(held, [0, 50, 100])).toEqual([expect.closeTo(66.67, 2), 0, expect.closeTo(33.33, 2)]);
  // A single event that lasts no time is all there is.
  expect(durationOf(heldOf({ times: [5], avg: [7], stepMs: 0 }))).toEqual({ x: [100], y: [7] });
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
