import { expect, test } from 'vitest';
import { airPressure, clearSky, clearSkyGhiWm2, clearSkySeries, ineichen } from './clear-sky.ts';
import { sunPath, sunPosition } from './sun.ts';

test('the clear sky of Haurwitz has the published values', () => {
  // From pvlib's tests: elevation of the sun and global irradiance.
  const table = [
    [-20, 0],
    [-0.05, 0],
    [-0.001, 0],
    [5, 48.6298687941956],
    [10, 135.741748091813],
    [30, 487.894132885425],
    [50, 778.766689344363],
    [90, 1035.0920325345],
  ] as const;
  for (const [elevationDeg, ghi] of table)
    expect(clearSkyGhiWm2({ elevationDeg, azimuthDeg: 180 })).toBeCloseTo(ghi, 9);
});

test('the clear sky of Ineichen and Perez has the published values', () => {
  const up = Math.cos((10 * Math.PI) / 180);
  // From pvlib's tests: zenith 10 degrees, air mass 1, turbidity 3; then 2000 m above the sea.
  const sea = ineichen(up, 1, 1364, { turbidity: 3 });
  expect(sea.ghiWm2).toBeCloseTo(1038.159219, 5);
  expect(sea.dniWm2).toBeCloseTo(942.2081860378344, 5);
  expect(sea.dhiWm2).toBeCloseTo(110.26529293612793, 5);
  const high = ineichen(up, 1, 1364, { turbidity: 3, altitudeM: 2000 });
  expect(high.ghiWm2).toBeCloseTo(1134.24312405, 5);
  expect(high.dniWm2).toBeCloseTo(994.95377835, 5);
  expect(high.dhiWm2).toBeCloseTo(154.40492924, 5);
  const hazy = ineichen(Math.cos((80 * Math.PI) / 180), 10, 1364, { turbidity: 4 });
  expect(hazy.ghiWm2).toBeCloseTo(43.72365587, 5);
  expect(hazy.dniWm2).toBeCloseTo(75.80970012, 5);
});

test('the air grows thin with the height', () => {
  expect(airPressure(1000) * 1013.25).toBeCloseTo(898.7475, 1);
  expect(airPressure(0)).toBe(1);
});

test('the clear sky along a path is that of each instant, and dark at night', () => {
  const times = [Date.UTC(2026, 5, 21, 12), Date.UTC(2026, 5, 22, 0)];
  const sky = clearSkySeries(sunPath(times, 40.4, -3.7), { altitudeM: 650 });
  const noon = clearSky(times[0] as number, sunPosition(times[0] as number, 40.4, -3.7), { altitudeM: 650 });
  expect(sky.ghiWm2[0]).toBeCloseTo(noon.ghiWm2, 9);
  expect(sky.dniWm2[0]).toBeCloseTo(noon.dniWm2, 9);
  expect([sky.ghiWm2[1], sky.dhiWm2[1], sky.dniWm2[1]]).toEqual([0, 0, 0]);
});
