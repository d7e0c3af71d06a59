import { expect, test } from 'vitest';
import { clearSkyGhiWm2, diffuseFraction, planeOfArrayWm2, splitIrradiance } from './irradiance.ts';
import { incidenceCosine, sunPosition } from './sun.ts';

const MADRID = [40.4, -3.7] as const;
const NOON = Date.UTC(2026, 5, 21, 12, 16);

test('the sun over Madrid at the summer solstice culminates in the south at 73 degrees', () => {
  const sun = sunPosition(NOON, ...MADRID);
  expect(sun.elevationDeg).toBeCloseTo(73.04, 1);
  expect(Math.abs(sun.azimuthDeg - 180)).toBeLessThan(2);
});

test('the sun over Brisbane stands in the north at noon', () => {
  const sun = sunPosition(Date.UTC(2026, 11, 21, 1, 45), -30, 153);
  expect(sun.elevationDeg).toBeGreaterThan(80);
  expect(Math.min(sun.azimuthDeg, 360 - sun.azimuthDeg)).toBeLessThan(30);
});

test('a clear sky gives about 1000 W/m² under a high sun and nothing at night', () => {
  expect(clearSkyGhiWm2({ elevationDeg: 73, azimuthDeg: 180 })).toBeCloseTo(989.3, 0);
  expect(clearSkyGhiWm2({ elevationDeg: -0.1, azimuthDeg: 0 })).toBe(0);
});

test('the diffuse part follows Erbs and has no step where its pieces meet', () => {
  expect(diffuseFraction(0)).toBe(1);
  expect(diffuseFraction(0.5)).toBeCloseTo(0.659, 2);
  expect(diffuseFraction(0.2200001)).toBeCloseTo(diffuseFraction(0.22), 2);
  expect(diffuseFraction(0.8000001)).toBeCloseTo(diffuseFraction(0.8), 2);
});

test('the parts of the irradiance add up to the whole on a horizontal plane', () => {
  const sun = sunPosition(NOON, ...MADRID);
  const sky = splitIrradiance(NOON, sun, 800);
  expect(planeOfArrayWm2(sun, sky, { tiltDeg: 0, azimuthDeg: 180 })).toBeCloseTo(800, 6);
});

test('a plane that faces the sun gets more than a horizontal one, one that faces away gets no direct light', () => {
  const sun = { elevationDeg: 30, azimuthDeg: 180 };
  const sky = splitIrradiance(NOON, sun, 450);
  expect(planeOfArrayWm2(sun, sky, { tiltDeg: 60, azimuthDeg: 180 })).toBeGreaterThan(600);
  expect(incidenceCosine(sun, { tiltDeg: 60, azimuthDeg: 0 })).toBe(0);
});
