import { expect, test } from 'vitest';
import { daysWithData, inverterPerformance } from './inverter-performance.ts';

const inverter = (
  subject: string,
  energies: (number | null)[],
  more: { dcKw?: number; orientation?: string | null } = {},
) => ({
  subject,
  dcKw: 10,
  orientation: 'south',
  ...more,
  days: energies.map((energyKwh) => ({ energyKwh, expectedKwh: 40 * ((more.dcKw ?? 10) / 10) })),
});

test('inverters under 80 % of their estimate are counted among those that have one', () => {
  const { below, rated, inverters } = inverterPerformance([
    inverter('a', [40, 40]),
    inverter('b', [30, 33]),
    inverter('c', [null, 39]),
    inverter('d', [null, null]),
  ]);
  expect({ below, rated }).toEqual({ below: 1, rated: 3 });
  expect(inverters.map(({ ofEstimate }) => ofEstimate.index.value)).toEqual([1, 0.7875, 0.975, null]);
});

test('each is compared with the middle of those that lie alike, over the days that all have', () => {
  const { inverters } = inverterPerformance([
    inverter('a', [40, 10]),
    inverter('b', [80, null], { dcKw: 20 }),
    inverter('c', [30, 50]),
    inverter('east', [20, 20], { orientation: 'east' }),
    inverter('free', [20, 20], { orientation: null }),
  ]);
  expect(inverters.map(({ yieldH }) => yieldH.value)).toEqual([4, 4, 3, 4, 4]);
  expect(inverters.map(({ ofMedian }) => ofMedian.value)).toEqual([1, 1, 0.75, null, null]);
  expect(inverters[3]?.ofMedian.reason).toBe('no_peers');
});

test('a day has data when all sources have a value', () => {
  expect(
    daysWithData([
      [1, null, 0],
      [2, 2, 2],
    ]),
  ).toBe(2);
  expect(daysWithData([])).toBe(0);
});
