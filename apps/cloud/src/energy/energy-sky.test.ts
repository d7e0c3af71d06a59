import { expect, test } from 'vitest';
import { dayFigures, SLOT_MS } from './energy-day.ts';
import { sensed } from './energy-sky.ts';

const FROM = Date.UTC(2026, 5, 1);
const HOUR = 3_600_000;
/** A bell over 24 hours in slots; of each `every` slots one has a value. */
const light = (every: number) =>
  Float64Array.from({ length: 96 }, (_, i) => {
    const hour = Math.floor(i / every) * every * 0.25;
    return i % every === 0 ? Math.max(0, 900 * Math.sin(((hour - 6) * Math.PI) / 12)) : Number.NaN;
  });
const rules = {
  ...{ ratedKW: 10, peakKWp: 10, gammaPerK: -0.004, systemFactor: 0.8, floorWm2: 20 },
  availability: { thresholdWm2: 50, power: 0.05, isWeighted: false, isMissingAvailable: false },
  excluded: new Uint8Array(96),
  curtailed: new Uint8Array(96),
};
const figures = (every: number) =>
  dayFigures(
    { from: FROM, to: FROM + 24 * HOUR, now: FROM + 48 * HOUR, awakeAt: FROM + 8 * HOUR },
    {
      ...{ counters: [], powerKW: light(every).map((g) => g / 125), dcKW: null, count: 1 },
      ...{ firstAt: FROM, lastAt: FROM },
    },
    {
      poaWm2: sensed('irradiancePoa', light(every)),
      moduleC: sensed(
        'moduleTemperature',
        light(every).map((g) => 20 + g / 40),
      ),
      ...{ path: null, isMeasured: true },
    },
    rules,
  );

test('light that comes once an hour counts whole hours', () => {
  const [quarters, hours] = [figures(1), figures(4)];
  for (const key of [
    'irradiationKWhM2',
    'expectedKWh',
    'referenceKWh',
    'usedReferenceKWh',
    'usedKWh',
  ] as const)
    expect((hours[key] ?? 0) / (quarters[key] ?? 0), key).toBeCloseTo(1, 1);
  expect(hours.missedHours).toBe(0);
});

test('a light sensor hangs after four equal values of its own, not after one that is held', () => {
  const slow = new Float64Array(96).fill(Number.NaN);
  for (const [i, value] of [300, 400, 400, 400, 500].entries()) slow[40 + 4 * i] = value;
  expect(sensed('irradiancePoa', slow)[44]).toBe(400);
  for (const [i, value] of [400, 400, 400, 400, 500].entries()) slow[40 + 4 * i] = value;
  expect(sensed('irradiancePoa', slow)[44]).toBeNaN();
  expect(SLOT_MS).toBe(900_000);
});
