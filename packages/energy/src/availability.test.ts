import { describe, expect, test } from 'vitest';
import {
  availabilityOf,
  deviceAvailability,
  devicesAvailability,
  energyAvailability,
  inverterAvailability,
  lostEnergyKwh,
  plantAvailability,
} from './availability.ts';

const NONE = Number.NaN;

describe('a plant by its energy', () => {
  test('five intervals with and two without energy are 71.4 %; dusk and gaps do not change that', () => {
    const poaWm2 = [50, 200, 400, 600, 600, 400, 200, 150, 90, NONE];
    const energyKwh = [0, 1, 2, 0, 0, 2, NONE, 1, 0, 0];
    const all = plantAvailability({ intervalHours: 1, poaWm2, energyKwh });
    expect(all.technical.value).toBeCloseTo(5 / 7, 9);
    expect(all).toMatchObject({ unratedHours: 2, unknownLightHours: 1, excludedHours: 0 });
  });

  test('what was agreed leaves the contractual figure, not the technical one', () => {
    const all = plantAvailability({
      intervalHours: 1,
      poaWm2: [500, 500, 500, 500],
      energyKwh: [0, 1, 1, 0],
      excluded: [1, 0, 0, 0],
    });
    expect(all.technical.value).toBe(0.5);
    expect(all.contractual.value).toBeCloseTo(2 / 3, 9);
    expect(all.excludedHours).toBe(1);
  });

  test('weighted by light a bright hour counts more', () => {
    const series = { intervalHours: 1, poaWm2: [200, 800], energyKwh: [1, 0] };
    expect(plantAvailability(series, { isWeightedByLight: true }).technical.value).toBeCloseTo(0.2, 9);
    expect(plantAvailability(series, { thresholdWm2: 300 }).technical.value).toBe(0);
  });

  test('a night rates nothing', () => {
    const night = plantAvailability({ intervalHours: 1, poaWm2: [0, 3], energyKwh: [0, 0] });
    expect(night.technical).toEqual({ value: null, reason: 'nothing_rated' });
  });
});

describe('a plant by its inverters', () => {
  const inverters = [1500, 1500, 1000, 1000].map((ratedKw, i) => ({
    ratedKw,
    powerKw: [ratedKw * 0.6, i === 3 ? 0 : ratedKw * 0.6],
  }));

  test('one of 1000 kW down among 5000 kW is 80 %', () => {
    const one = inverterAvailability({ intervalHours: 0.25, poaWm2: [0, 700], inverters });
    expect(one.technical.value).toBeCloseTo(0.8, 9);
  });

  test('a day is the mean of its intervals', () => {
    const day = inverterAvailability({ intervalHours: 0.25, poaWm2: [700, 700], inverters });
    expect(day.technical.value).toBeCloseTo(0.9, 9);
  });

  test('an inverter whose power is missing leaves both, and so does an interval without any', () => {
    const silent = inverters.map((one, i) => (i === 0 ? { ...one, powerKw: [NONE, NONE] } : one));
    const part = inverterAvailability({ intervalHours: 0.25, poaWm2: [0, 700], inverters: silent });
    expect(part.technical.value).toBeCloseTo(2500 / 3500, 9);
    const none = silent.map((one) => ({ ...one, powerKw: [NONE, NONE] }));
    expect(
      inverterAvailability({ intervalHours: 0.25, poaWm2: [700, 700], inverters: none }).technical.value,
    ).toBeNull();
  });
});

test('days and devices are summed before they are divided', () => {
  const days = [
    { upHours: 10, expectedHours: 10 },
    { upHours: 0, expectedHours: 2 },
    { upHours: 0, expectedHours: 0 },
  ];
  expect(deviceAvailability(days).value).toBeCloseTo(10 / 12, 9);
  expect(deviceAvailability([{ upHours: 0, expectedHours: 0 }]).value).toBeNull();
  const devices = [
    { availability: { value: 1, reason: null } as const, peakKw: 30 },
    { availability: { value: 0.5, reason: null } as const, peakKw: 10 },
    { availability: { value: null, reason: 'nothing_rated' } as const, peakKw: 1000 },
  ];
  expect(devicesAvailability(devices).value).toBeCloseTo(0.875, 9);
});

test('parts of a time add up to the whole', () => {
  const poaWm2 = [500, 300, 700, 200, 900, 20];
  const energyKwh = [1, 0, 3, 0, 5, 0];
  const slice = (from: number, to: number) =>
    plantAvailability({
      intervalHours: 0.5,
      poaWm2: poaWm2.slice(from, to),
      energyKwh: energyKwh.slice(from, to),
    }).technicalSums;
  const [a, b, whole] = [slice(0, 2), slice(2, 6), slice(0, 6)];
  const sum = { available: a.available + b.available, unavailable: a.unavailable + b.unavailable };
  expect(availabilityOf(sum)).toEqual(availabilityOf(whole));
});

describe('by energy', () => {
  test('2158 kWh with 180 kWh lost are 92.3 %', () => {
    expect(energyAvailability(2158, 180).value).toBeCloseTo(0.923, 3);
    expect(energyAvailability(null, 180).reason).toBe('no_energy');
    expect(energyAvailability(0, 0).value).toBeNull();
  });

  test('only an outage by day loses energy', () => {
    const series = {
      intervalHours: 0.25,
      poaWm2: [600, 600, 600, 40, NONE],
      powerKw: [50, 0, NONE, 0, 0],
      expectedKw: [60, 60, 60, 2, 40],
      ratedKw: 100,
    };
    // The second interval by its light; the last by the power before, as its light is not known.
    expect(lostEnergyKwh(series)).toBeCloseTo(15 + 10, 9);
    expect(lostEnergyKwh({ ...series, excluded: [0, 1, 0, 0, 0] })).toBeCloseTo(10, 9);
    // A short outage loses its part of the expectation, and never more than what was not made.
    expect(lostEnergyKwh({ ...series, downPart: [0.1, 1, 0, 0, 0] })).toBeCloseTo(0.1 * 15 + 15, 9);
    expect(lostEnergyKwh({ ...series, downPart: [0.9, 1, 0, 0, 0] })).toBeCloseTo(10 / 4 + 15, 9);
    expect(lostEnergyKwh({ ...series, powerKw: [0, 0, 0, 0, 0], poaWm2: [NONE, NONE, 0, 0, 0] })).toBe(0);
  });
});
