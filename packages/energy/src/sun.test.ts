import { describe, expect, test } from 'vitest';
import {
  airMass,
  extraterrestrialNormalWm2,
  incidenceAngleDeg,
  incidenceCosine,
  sunPath,
  sunPosition,
} from './sun.ts';

const MADRID = [40.4, -3.7] as const;
const NOON = Date.UTC(2026, 5, 21, 12, 16);

test('the sun stands where the example of NREL has it', () => {
  // Reda and Andreas 2004, NREL/TP-560-34302, table A5.1: Golden on 17 October 2003, 12:30:30 at UTC-7.
  const sun = sunPosition(Date.UTC(2003, 9, 17, 19, 30, 30), 39.742476, -105.1786);
  expect(Math.abs(sun.elevationDeg - (90 - 50.11162))).toBeLessThan(0.01);
  expect(Math.abs(sun.azimuthDeg - 194.34024)).toBeLessThan(0.01);
});

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

test('the path of the sun says the same as its positions', () => {
  const path = sunPath([NOON, NOON + 12 * 3_600_000], ...MADRID);
  const sun = sunPosition(NOON, ...MADRID);
  expect((Math.asin(path.up[0] as number) * 180) / Math.PI).toBeCloseTo(sun.elevationDeg, 9);
  expect((Math.atan2(path.east[0] as number, path.north[0] as number) * 180) / Math.PI).toBeCloseTo(
    sun.azimuthDeg,
    9,
  );
  expect(path.up[1]).toBeLessThan(0);
});

test('above the atmosphere the light follows the distance of the sun', () => {
  // The distance of NREL's example is 0.9965422974 astronomical units.
  const golden = extraterrestrialNormalWm2(Date.UTC(2003, 9, 17, 19, 30, 30));
  expect(Math.abs((golden / 1361) * 0.9965422974 ** 2 - 1)).toBeLessThan(0.001);
  // pvlib: 1383.636203 W/m² on 26 October with a solar constant of 1366.1.
  expect((extraterrestrialNormalWm2(Date.UTC(2016, 9, 26)) * 1366.1) / 1361).toBeCloseTo(1383.64, 0);
});

describe('the angle of incidence', () => {
  // From pvlib's tests: tilt, azimuth, zenith, azimuth of the sun, angle.
  test.each([
    [0, 0, 0, 0, 0],
    [30, 180, 30, 180, 0],
    [30, 180, 150, 0, 180],
    [90, 0, 30, 60, 75.5224878],
    [90, 0, 30, 170, 119.4987042],
  ])(
    'of a plane of %d, %d to a sun at %d, %d is %d degrees',
    (tiltDeg, azimuthDeg, zenith, sunAzimuth, angle) => {
      const sun = { elevationDeg: 90 - zenith, azimuthDeg: sunAzimuth };
      expect(incidenceAngleDeg(sun, { tiltDeg, azimuthDeg })).toBeCloseTo(angle, 5);
    },
  );

  test('has no cosine when the sun is behind the plane or set', () => {
    expect(incidenceCosine({ elevationDeg: 30, azimuthDeg: 180 }, { tiltDeg: 60, azimuthDeg: 0 })).toBe(0);
    expect(incidenceCosine({ elevationDeg: -1, azimuthDeg: 180 }, { tiltDeg: 60, azimuthDeg: 180 })).toBe(0);
  });
});

test('the way through the air is that of Kasten and Young', () => {
  const up = (zenith: number) => Math.cos((zenith * Math.PI) / 180);
  expect(airMass(up(89.9))).toBeCloseTo(36.467, 2);
  expect(airMass(up(80))).toBeCloseTo(5.586, 3);
  expect(airMass(1)).toBeCloseTo(1, 3);
});
