import { ENERGY_CONFIG_SCHEMAS, type EnergyConfigs } from '@albedo/contract/energy/energy-config.schema';
import { expect, test } from 'vitest';
import { figuresOf } from './energy-figures.ts';
import type { DaySums } from './energy-reports.store.ts';

const configs = Object.fromEntries(
  Object.entries(ENERGY_CONFIG_SCHEMAS).map(([name, schema]) => [name, schema.parse({})]),
) as EnergyConfigs;
const sums = (more: Partial<DaySums>) =>
  ({
    ...{ energyKWh: 30, expectedKWh: 40, pairedKWh: 30, pairedExpectedKWh: 40, days: 1, wholeDays: 1 },
    ...{ isHorizontal: false, isClearSky: false, ...more },
  }) as DaySums;
const below = { below: 1, sources: 1 };

test('what rests on light that was not measured in the planes says so', () => {
  for (const [more, reason] of [
    [{ isClearSky: true }, 'clearSky'],
    [{ isHorizontal: true }, 'horizontalSensor'],
  ] as const)
    for (const report of ['daily-energy', 'inverter-performance'] as const) {
      const { reasons } = figuresOf(report, sums(more), { below }, configs);
      expect(reasons).toMatchObject({ expected: reason, performance: reason, below: reason });
    }
  const { reasons } = figuresOf('daily-energy', sums({}), { below }, configs);
  expect(reasons).not.toHaveProperty('performance');
});

test('energy is divided by the ratings of what has energy, and a rating needs no other', () => {
  const mixed = sums({
    yieldKWh: 20,
    yieldPeakKWp: 10,
    peakKWp: 25,
    ratedEnergyKWh: 24,
    energyRatedKWh: 240,
    ratedKW: 10,
  });
  expect(figuresOf('daily-energy', mixed, {}, configs).values.specificYield).toBe(2);
  const { values, reasons } = figuresOf('capacity-factor', { ...mixed, peakKWp: null }, {}, configs);
  expect(values).toMatchObject({ basis: 'ac', capacityFactor: 0.1, rating: 10 });
  expect(reasons).toEqual({});
});
