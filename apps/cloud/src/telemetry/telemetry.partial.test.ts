import type { SeriesFunction } from '@albedo/contract/telemetry/series-functions';
import { expect, test } from 'vitest';
import { withPartial } from './telemetry.partial.ts';
import { equalGrid } from './telemetry.series-grid.ts';
import { valuePoints } from './telemetry.series-points.ts';

const HOUR = 3_600_000;
const grid = equalGrid(HOUR);
/** Four hours of 10, and the fifth with what it has so far. */
const points = () =>
  valuePoints(
    [10, 10, 10, 10, 2].map((value, i) => [i * HOUR, value] as const),
    grid,
  );
const cut = (of: SeriesFunction, now: number, span = { from: 0, to: 5 * HOUR }) =>
  withPartial(points(), { grid, span, function: of, now });

test('the interval that the clock is still in is named, and a sum has its figures without it', () => {
  const { partial, stats } = cut('difference', 4.2 * HOUR);
  expect(partial).toEqual([4 * HOUR]);
  expect(stats).toEqual({ count: 5, min: 10, avg: 10, max: 10, last: 2 });
});

test('a past interval is whole, and its small value is a smallest value', () => {
  const { partial, stats } = cut('difference', 5 * HOUR);
  expect(partial).toBeUndefined();
  expect(stats.min).toBe(2);
});

test('a sum names what the range cuts too; an average is one of any part', () => {
  const span = { from: 0.5 * HOUR, to: 4.5 * HOUR };
  expect(cut('sum', 9 * HOUR, span)).toMatchObject({ partial: [0, 4 * HOUR], stats: { min: 10 } });
  expect(cut('max', 9 * HOUR, span).partial).toBeUndefined();
  expect(cut('max', 4.2 * HOUR, span)).toMatchObject({ partial: [4 * HOUR], stats: { min: 2, max: 10 } });
});

test('a mean of minutes is as good as one of all of them', () => {
  const minutes = valuePoints(
    [
      [0, 5],
      [60_000, 6],
    ],
    equalGrid(60_000),
  );
  const of = { grid: equalGrid(60_000), span: { from: 0, to: 120_000 }, now: 90_000 };
  expect(withPartial(minutes, { ...of, function: 'average' }).partial).toBeUndefined();
  expect(withPartial(minutes, { ...of, function: 'sum' }).partial).toEqual([60_000]);
});

test('where no interval is whole there is no smallest, mean or largest', () => {
  const one = valuePoints([[0, 3]], grid);
  const of = { grid, span: { from: 0, to: HOUR }, function: 'count' as const, now: 1000 };
  expect(withPartial(one, of).stats).toEqual({ count: 1, min: null, avg: null, max: null, last: 3 });
});
