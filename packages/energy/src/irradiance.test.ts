import { expect, test } from 'vitest';
import { diffuseFraction, diffuseOfGlobalWm2, skyOf, skySeries, splitIrradiance } from './irradiance.ts';
import { sunPath, sunPosition } from './sun.ts';

const MADRID = [40.4, -3.7] as const;
const NOON = Date.UTC(2026, 5, 21, 12, 16);

test('the diffuse part follows Erbs and has no step where its pieces meet', () => {
  expect(diffuseFraction(0)).toBe(1);
  expect(diffuseFraction(0.5)).toBeCloseTo(0.659, 2);
  expect(diffuseFraction(0.2200001)).toBeCloseTo(diffuseFraction(0.22), 2);
  expect(diffuseFraction(0.8000001)).toBeCloseTo(diffuseFraction(0.8), 2);
});

test('the diffuse part is what the tests of pvlib have', () => {
  // Global, zenith, irradiance above the atmosphere, and the diffuse part.
  const cases = [
    [50, 85, 1413.98, 41.5703604],
    [1000, 10, 1413.98, 217.860117],
    [1000, 10, 1321.8, 170.790318],
  ] as const;
  for (const [ghi, zenith, extra, diffuse] of cases)
    expect(diffuseOfGlobalWm2(ghi, Math.cos((zenith * Math.PI) / 180), extra)).toBeCloseTo(diffuse, 0);
  expect(diffuseOfGlobalWm2(0, -0.5, 1400)).toBe(0);
});

test('no light is more direct than it was above the atmosphere', () => {
  const sun = { elevationDeg: 3, azimuthDeg: 90 };
  const sky = splitIrradiance(NOON, sun, 400);
  expect(sky.dniWm2).toBeLessThanOrEqual(sky.extraWm2 + 1e-9);
  expect(sky.dniWm2 * Math.sin((3 * Math.PI) / 180) + sky.dhiWm2).toBeCloseTo(400, 6);
});

test('what is not measured of the sky follows from the rest', () => {
  const sun = { elevationDeg: 30, azimuthDeg: 180 };
  expect(skyOf(NOON, sun, { ghiWm2: 500, dhiWm2: 100 }).dniWm2).toBeCloseTo(800, 6);
  expect(skyOf(NOON, sun, { ghiWm2: 500, dniWm2: 800 }).dhiWm2).toBeCloseTo(100, 6);
  expect(skyOf(NOON, sun, { dniWm2: 800, dhiWm2: 100 }).ghiWm2).toBeCloseTo(500, 6);
  const known = { ghiWm2: 500, dhiWm2: 90, dniWm2: 800 };
  expect(skyOf(NOON, sun, known)).toMatchObject(known);
  expect(skyOf(NOON, { elevationDeg: -5, azimuthDeg: 0 }, { ghiWm2: -3 })).toMatchObject({
    ghiWm2: 0,
    dhiWm2: 0,
    dniWm2: 0,
  });
});

test('a gap stays a gap, and the series says what the single sky says', () => {
  const times = [NOON, NOON + 3_600_000, NOON + 7_200_000];
  const sky = skySeries(sunPath(times, ...MADRID), { ghiWm2: [800, Number.NaN, 300] });
  expect(sky.dhiWm2[1]).toBeNaN();
  expect(sky.ghiWm2[1]).toBeNaN();
  times.forEach((at, i) => {
    if (i === 1) return;
    const single = splitIrradiance(at, sunPosition(at, ...MADRID), sky.ghiWm2[i] as number);
    expect(sky.dhiWm2[i]).toBeCloseTo(single.dhiWm2, 9);
    expect(sky.dniWm2[i]).toBeCloseTo(single.dniWm2, 9);
  });
});
