import { intervalFor } from '@albedo/contract/telemetry/intervals';
import type { CombinedSeries, SeriesPoints } from '@albedo/contract/telemetry/telemetry.schema';
import { expect, test } from 'vitest';
import { combined, scaled } from './telemetry.combine.ts';
import { readCombined } from './telemetry.combined.ts';
import type { SeriesAsked } from './telemetry.series.ts';

const points = (avg: (number | null)[], from = 0): SeriesPoints => {
  const times = avg.map((_, i) => (from + i) * 1000);
  const stats = { count: avg.length, min: 1, avg: 2, max: 3, last: avg.at(-1) ?? null };
  return { stepMs: 1000, times, min: avg, avg, max: avg, stats };
};

test.each([
  ['sum', [5, 7, 3, 9]],
  ['mean', [2.5, 3.5, 3, 9]],
  ['min', [1, 2, 3, 9]],
  ['max', [4, 5, 3, 9]],
  ['median', [2.5, 3.5, 3, 9]],
] as const)('the %s of streams leaves out those without a value', (how, wanted) => {
  const all = [points([1, 2, 3]), points([4, 5, null, 9])];
  expect(combined(all, how).avg).toEqual(wanted);
});

test('a weighted mean counts the weights of those that have a value', () => {
  expect(combined([points([10, 10]), points([20, null])], 'weightedMean', [3, 1]).avg).toEqual([12.5, 10]);
  expect(combined([points([10]), points([20])], 'weightedMean', [0, 0]).avg).toEqual([null]);
});

test('an instant at which no stream has a value stays a gap', () => {
  const sum = combined([points([1, null]), points([1, null])], 'sum');
  expect(sum.avg).toEqual([2, null]);
  expect(sum.stats).toMatchObject({ min: 2, avg: 2, max: 2, last: 2 });
});

test('the average of what is combined counts each value until the next one, and gaps not at all', () => {
  const range = { from: 0, to: 12_000 };
  const at = (times: number[], avg: (number | null)[]): SeriesPoints => ({ ...points(avg), times });
  const read = at([0, 5000, 10_000, 11_000], [2, 4, 10, 10]);
  const stats = (one: SeriesPoints) => combined([one, one], 'sum', undefined, { range }).stats;
  // 4 for 5 s, 8 for 5 s, 20 for 2 s.
  expect(stats(read).avg).toBeCloseTo(100 / 12, 9);
  expect(stats(at([0, 5000, 10_000], [2, null, 10])).avg).toBeCloseTo((4 * 5 + 20) / 6, 9);
  // An interval that began before the range counts from where it begins.
  expect(stats(at([-5000, 5000], [2, 4])).avg).toBeCloseTo((4 * 5 + 8) / 6, 9);
  expect(stats(at([12_000], [2])).avg).toBe(4);
  expect(stats(at([], [])).avg).toBeNull();
});

test('values change their unit, and what is turned changes its ends', () => {
  expect(scaled(points([1, null]), 1000, 5).avg).toEqual([1005, null]);
  expect(scaled(points([1]), -1, 0).stats).toMatchObject({ min: -3, max: -1 });
});

test('a range is cut into no more pieces than asked for', () => {
  expect([
    intervalFor(3_600_000, 60),
    intervalFor(86_400_000, 500),
    intervalFor(366 * 86_400_000, 400),
  ]).toEqual(['1m', '5m', '1d']);
});

test('lines of several clocks are asked by each clock, and answered in their order', async () => {
  const devices = ['a', 'b', 'c'];
  const lineOf = (device: string, timezone?: string): CombinedSeries => ({
    streams: [{ device, table: 'data', source: 'inv', field: 'energy', factor: 1, offset: 0 }],
    combine: 'sum',
    ...(timezone && { timezone }),
  });
  const clocks: Record<string, string | undefined> = {};
  const ask = async ({ series, timezone }: SeriesAsked) =>
    series.map(({ device }) => {
      clocks[device] = timezone;
      return points([devices.indexOf(device)]);
    });
  const lines = [lineOf('a', 'Europe/Lisbon'), lineOf('b'), lineOf('c', 'Europe/Lisbon')];
  const asked = { from: 0, to: 1000, maxPoints: 10, interval: '1d', timezone: 'UTC' };
  expect((await readCombined(ask, lines, asked)).map(({ avg }) => avg[0])).toEqual([0, 1, 2]);
  expect(clocks).toEqual({ a: 'Europe/Lisbon', b: 'UTC', c: 'Europe/Lisbon' });
});

test('what is combined has the parts of all of them, and a sum says nothing of them in its figures', () => {
  const all = [
    { ...points([4, 6, 1]), partial: [2000] },
    { ...points([5, 7]), partial: [0] },
  ];
  const sum = combined(all, 'sum', undefined, { grows: true });
  expect(sum).toMatchObject({ avg: [9, 13, 1], partial: [0, 2000] });
  expect(sum.stats).toMatchObject({ min: 13, avg: 13, max: 13, last: 1 });
  expect(combined(all, 'max').stats).toMatchObject({ min: 1, max: 7 });
});
