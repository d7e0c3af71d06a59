import { describe, expect, test } from 'vitest';
import {
  areaOfSource,
  cellSeriesC,
  type ExpectedSystem,
  expectedDays,
  expectedKwhOfArea,
  peakKwOfArea,
  planeLight,
} from './expected.ts';
import { sunPath } from './sun.ts';

const HOUR = 3_600_000;
const MADRID = [40.4, -3.7] as const;
/** 21 June 2026 in Madrid, and the day after. */
const DAY = Date.UTC(2026, 5, 20, 22);
const EDGES = [DAY, DAY + 24 * HOUR, DAY + 48 * HOUR];
const SOUTH = [{ tiltDeg: 30, azimuthDeg: 180, share: 1 }];
const SYSTEM: ExpectedSystem = { dcKw: 10, acKw: null, systemFactor: 0.8 };

/** Two days of quarters of an hour. */
const path = sunPath(
  Array.from({ length: 192 }, (_, i) => DAY + (i + 0.5) * (HOUR / 4)),
  ...MADRID,
);
const inPlane = (value: (i: number) => number) =>
  planeLight(path, { from: 'plane', poaWm2: Array.from(path.up, (up, i) => (up > 0 ? value(i) : 0)) }, SOUTH);
const run = (light = inPlane(() => 500), system = SYSTEM, cellsC: ArrayLike<number> | null = null) =>
  expectedDays({ path, intervalHours: 0.25, light, cellsC }, system, EDGES);

test('a day is its light by rating and factor, and by area the same', () => {
  const [first, second, ...none] = run();
  expect(none).toEqual([]);
  const h = first?.irradiationKwhM2 ?? 0;
  expect(h).toBeGreaterThan(7);
  expect(first?.energyKwh).toBeCloseTo(h * 10 * 0.8, 9);
  expect(first?.energyKwh).toBeCloseTo(expectedKwhOfArea(h, 50, 0.2), 9);
  expect(peakKwOfArea(50, 0.2)).toBe(10);
  expect(second?.energyKwh).toBeCloseTo(first?.energyKwh ?? 0, 0);
  expect(first).toMatchObject({ from: 'plane', model: null, isUpperBound: false, coverage: 1 });
});

test('heat, age and the rating of the inverter take their part', () => {
  const plain = run()[0]?.energyKwh ?? 0;
  const warm = Float64Array.from(path.at, () => 45);
  const hot = run(undefined, { ...SYSTEM, coefficientPerK: -0.004 }, warm)[0];
  expect(hot?.energyKwh).toBeCloseTo(plain * 0.92, 9);
  expect(hot?.temperatureCoverage).toBeCloseTo(1, 9);
  expect(run(undefined, { ...SYSTEM, coefficientPerK: -0.004 })[0]).toMatchObject({
    energyKwh: expect.closeTo(plain, 9),
    temperatureCoverage: 0,
  });
  const since = DAY + 12 * HOUR - 10 * 365.25 * 24 * HOUR;
  const old = run(undefined, { ...SYSTEM, degradation: { perYear: 0.005, since } })[0];
  expect((old?.energyKwh ?? 0) / plain).toBeCloseTo(0.995 ** 10, 6);
  const clipped = run(undefined, { ...SYSTEM, acKw: 2 })[0];
  expect((clipped?.energyKwh ?? 0) / plain).toBeCloseTo(0.5, 9);
  expect(run(undefined, { ...SYSTEM, dcKw: 0 })[0]?.energyKwh).toBe(0);
});

test('a small gap is like the rest of its day, a large one leaves no figure for that day alone', () => {
  const light = (i: number) => 900 * (path.up[i] as number);
  const whole = run(inPlane(light));
  const small = run(inPlane((i) => (i === 48 || i === 49 ? Number.NaN : light(i))));
  expect(small[0]?.coverage).toBeLessThan(0.96);
  expect(small[0]?.energyKwh).toBeCloseTo(whole[0]?.energyKwh ?? 0, 6);
  const large = run(inPlane((i) => (i > 30 && i < 60 ? Number.NaN : light(i))));
  expect(large[0]).toMatchObject({ energyKwh: null, irradiationKwhM2: null });
  expect(large[1]).toEqual(whole[1]);
});

test('values that cannot be are gaps, and a night gap asks for nothing', () => {
  const odd = run(inPlane((i) => (i === 48 ? 4000 : 500)));
  expect(odd[0]).toEqual(run(inPlane((i) => (i === 48 ? Number.NaN : 500)))[0]);
  const dark = planeLight(
    path,
    { from: 'plane', poaWm2: Array.from(path.up, (up) => (up > 0 ? 500 : Number.NaN)) },
    SOUTH,
  );
  expect(run(dark)[0]?.coverage).toBe(1);
});

describe('light by its source', () => {
  test('from the ground it is brought to the planes, and says by which sky', () => {
    const ghiWm2 = Array.from(path.up, (up) => Math.max(0, 950 * up));
    const light = planeLight(path, { from: 'horizontal', ghiWm2 }, SOUTH, { model: 'perez' });
    expect(light).toMatchObject({ from: 'horizontal', model: 'perez' });
    const flat = planeLight(path, { from: 'feed', ghiWm2 }, [{ tiltDeg: 0, azimuthDeg: 0, share: 1 }]);
    expect(run(flat)[0]).toMatchObject({ from: 'feed', model: 'hay-davies', isUpperBound: false });
    const ground = ghiWm2.slice(0, 96).reduce((sum, one) => sum + one, 0) / 4000;
    expect(run(flat)[0]?.irradiationKwhM2).toBeCloseTo(ground, 6);
  });

  test('a clear sky is an upper bound and above what came through clouds', () => {
    const clear = run(planeLight(path, { from: 'clearSky', air: { altitudeM: 650 } }, SOUTH))[0];
    expect(clear).toMatchObject({ isUpperBound: true, coverage: 1 });
    expect(clear?.irradiationKwhM2).toBeGreaterThan(7);
    expect(clear?.irradiationKwhM2).toBeLessThan(8.5);
  });

  test('east and west together lie between their parts', () => {
    const [east, west] = [90, 270].map((azimuthDeg) => ({ tiltDeg: 20, azimuthDeg, share: 1 }));
    if (!east || !west) throw new Error('no planes');
    const of = (planes: typeof SOUTH) =>
      run(planeLight(path, { from: 'clearSky' }, planes))[0]?.irradiationKwhM2 ?? 0;
    const both = of([
      { ...east, share: 0.6 },
      { ...west, share: 0.4 },
    ]);
    expect(both).toBeCloseTo(0.6 * of([east]) + 0.4 * of([west]), 9);
  });
});

test('temperatures come from the air by the chosen model', () => {
  const cells = cellSeriesC([800, 0, Number.NaN], [25, 10, 20], [3, 3, 3], { model: 'sapm' });
  expect(cells[0]).toBeCloseTo(45.6, 1);
  expect(cells[1]).toBe(10);
  expect(cells[2]).toBeNaN();
});

test('the area of a device is shared by the panels of its sources', () => {
  expect(areaOfSource(100, [30, 10], 0)).toBe(75);
  expect(areaOfSource(100, [30, 10], 1)).toBe(25);
  expect(areaOfSource(100, [30, null], 1)).toBe(50);
});

test('days of 23 and 25 hours take what lies in them, and parts make the whole', () => {
  const light = inPlane(() => 500);
  const input = { path, intervalHours: 0.25, light };
  const odd = expectedDays(input, SYSTEM, [DAY, DAY + 23 * HOUR, DAY + 48 * HOUR]);
  const both = run(light);
  const sum = (days: { energyKwh: number | null }[]) =>
    days.reduce((all, day) => all + (day.energyKwh ?? 0), 0);
  expect(sum(odd)).toBeCloseTo(sum(both), 9);
});

test('a day that the path does not reach is not known', () => {
  const [day] = expectedDays({ path, intervalHours: 0.25, light: inPlane(() => 500) }, SYSTEM, [
    DAY + 42 * HOUR,
    DAY + 66 * HOUR,
  ]);
  expect(day).toMatchObject({ energyKwh: null, coverage: 0.25 });
});

test('the polar night gives nothing, and that is known', () => {
  const times = Array.from({ length: 24 }, (_, i) => Date.UTC(2026, 11, 21) + (i + 0.5) * HOUR);
  const night = sunPath(times, 78, 15);
  const light = planeLight(night, { from: 'horizontal', ghiWm2: times.map(() => Number.NaN) }, SOUTH);
  const [day] = expectedDays({ path: night, intervalHours: 1, light }, SYSTEM, [
    Date.UTC(2026, 11, 21),
    Date.UTC(2026, 11, 22),
  ]);
  expect(day).toMatchObject({ energyKwh: 0, irradiationKwhM2: 0, coverage: 1 });
});
