import { describe, expect, test } from 'vitest';
import { skySeries, splitIrradiance } from './irradiance.ts';
import { sunPath, sunPosition } from './sun.ts';
import { planeIrradiance, planeOfArrayWm2, planeSeriesWm2, SKY_MODELS } from './transposition.ts';

/** Tucson in June, from pvlib's tests: sun, global, direct, diffuse; above the atmosphere 1321.17 W/m². */
const TUCSON = [
  { zenith: 82.85457044, azimuth: 66.71410338, ghi: 79.73860422, dni: 316.1949056, dhi: 40.46149818 },
  { zenith: 10.56413562, azimuth: 144.76567754, ghi: 1042.48031487, dni: 939.95469881, dhi: 118.45831879 },
  { zenith: 72.41687122, azimuth: 287.04104128, ghi: 257.20751138, dni: 646.22886049, dhi: 62.03376265 },
].map(({ zenith, azimuth, ghi, dni, dhi }) => ({
  sun: { elevationDeg: 90 - zenith, azimuthDeg: azimuth },
  sky: { ghiWm2: ghi, dniWm2: dni, dhiWm2: dhi, extraWm2: 1321.1655834833093 },
}));
const SOUTH = { tiltDeg: 40, azimuthDeg: 180 };

describe('the light of the sky on a plane has the values of the tests of pvlib', () => {
  test.each([
    ['isotropic', [35.728402, 104.601328, 54.777191]],
    ['hay-davies', [27.1775, 102.9949, 33.1909]],
    ['perez', [31.46046871, 109.084332, 45.45539877]],
  ] as const)('%s', (model, expected) => {
    const values = TUCSON.map(({ sun, sky }) => planeIrradiance(sun, sky, SOUTH, { model }).skyDiffuseWm2);
    values.forEach((value, i) => {
      expect(value).toBeCloseTo(expected[i] as number, 2);
    });
  });

  test('with a horizon that takes light away', () => {
    // Goodwin Creek on 1 January 2019: direct, diffuse, zenith, azimuth, and the whole diffuse light by Perez.
    const hours = [
      [158, 249, 57.746951, 171.003315, 281.410185],
      [19, 165, 57.564205, 187.346924, 152.20879],
      [1, 136, 60.813841, 202.974357, 123.867898],
      [0, 93, 66.989435, 216.725599, 82.836412],
      [0, 50, 75.353368, 228.317233, 43.517015],
    ] as const;
    for (const [dniWm2, dhiWm2, zenith, azimuthDeg, expected] of hours) {
      const sky = { ghiWm2: dhiWm2, dniWm2, dhiWm2, extraWm2: 1414 };
      const sun = { elevationDeg: 90 - zenith, azimuthDeg };
      const plane = { tiltDeg: 34, azimuthDeg: 180 };
      expect(planeIrradiance(sun, sky, plane, { model: 'perez' }).skyDiffuseWm2).toBeCloseTo(expected, 1);
    }
  });
});

test('the ground throws back what its albedo says', () => {
  // pvlib: 26.32 W/m² on a plane of 40 degrees over an albedo of 0.25 under 900 W/m².
  const sky = { ghiWm2: 900, dniWm2: 0, dhiWm2: 900, extraWm2: 1361 };
  const { sun } = TUCSON[1] as (typeof TUCSON)[number];
  expect(planeIrradiance(sun, sky, SOUTH, { albedo: 0.25 }).groundWm2).toBeCloseTo(26.32, 2);
  expect(planeIrradiance(sun, sky, SOUTH, { albedo: 0 }).groundWm2).toBe(0);
});

test('a plane of 20 degrees at an angle of 25 degrees gets 754.7 W/m²', () => {
  const sky = { ghiWm2: 650, dniWm2: 700, dhiWm2: 120, extraWm2: 1361 };
  const sun = { elevationDeg: 45, azimuthDeg: 180 };
  const plane = { tiltDeg: 20, azimuthDeg: 180 };
  const parts = planeIrradiance(sun, sky, plane, { model: 'isotropic', albedo: 0.2 });
  expect(parts.beamWm2).toBeCloseTo(634.4, 1);
  expect(parts.skyDiffuseWm2).toBeCloseTo(116.4, 1);
  expect(parts.groundWm2).toBeCloseTo(3.9, 1);
  expect(parts.totalWm2).toBeCloseTo(754.7, 1);
});

describe.each(SKY_MODELS)('with the sky of %s', (model) => {
  const NOON = Date.UTC(2026, 5, 21, 12, 16);
  const MADRID = [40.4, -3.7] as const;

  test('a plane that lies flat gets the global irradiance', () => {
    const sun = sunPosition(NOON, ...MADRID);
    const sky = splitIrradiance(NOON, sun, 800);
    expect(planeOfArrayWm2(sun, sky, { tiltDeg: 0, azimuthDeg: 180 }, { model })).toBeCloseTo(800, 6);
  });

  test('the sun behind the plane leaves the light of sky and ground', () => {
    const sun = { elevationDeg: 30, azimuthDeg: 180 };
    const sky = splitIrradiance(NOON, sun, 450);
    const north = planeIrradiance(sun, sky, { tiltDeg: 60, azimuthDeg: 0 }, { model });
    expect(north.beamWm2).toBe(0);
    expect(north.skyDiffuseWm2).toBeGreaterThan(20);
    expect(north.groundWm2).toBeGreaterThan(10);
    expect(planeOfArrayWm2(sun, sky, { tiltDeg: 60, azimuthDeg: 180 }, { model })).toBeGreaterThan(600);
  });

  test('a sun at the horizon gives no more than the sky has', () => {
    // pvlib: less than 100 W/m² of diffuse light at a zenith of 89.999 degrees.
    const sky = { ghiWm2: 51, dniWm2: 10, dhiWm2: 50, extraWm2: 1360 };
    const sun = { elevationDeg: 0.001, azimuthDeg: 230 };
    const plane = { tiltDeg: 30, azimuthDeg: 180 };
    expect(planeIrradiance(sun, sky, plane, { model }).skyDiffuseWm2).toBeLessThan(100);
  });

  test('a day of several planes is the mean of them by their shares, and gaps stay gaps', () => {
    const times = Array.from({ length: 96 }, (_, i) => Date.UTC(2026, 5, 21) + i * 900_000);
    const path = sunPath(times, ...MADRID);
    const ghiWm2 = times.map((_, i) => (i === 50 ? Number.NaN : Math.max(0, 900 * (path.up[i] as number))));
    const sky = skySeries(path, { ghiWm2 });
    const planes = [
      { tiltDeg: 15, azimuthDeg: 90, share: 0.6 },
      { tiltDeg: 25, azimuthDeg: 270, share: 0.4 },
    ];
    const series = planeSeriesWm2(path, sky, planes, { model });
    times.forEach((at, i) => {
      if (i === 50) {
        expect(series[i]).toBeNaN();
        return;
      }
      const sun = sunPosition(at, ...MADRID);
      const single = splitIrradiance(at, sun, ghiWm2[i] as number);
      const mean = planes.reduce(
        (sum, plane) => sum + plane.share * planeOfArrayWm2(sun, single, plane, { model }),
        0,
      );
      expect(series[i]).toBeCloseTo(mean, 6);
    });
  });
});

/** NREL's example year of PVWatts for Denver, tilt 20 degrees south: month, day, hour, direct, diffuse, in the plane, W/m². */
const DENVER: [number, number, number, number, number, number][] = [
  [1, 6, 9, 629, 74, 445.755],
  [1, 6, 12, 808, 84, 710.646],
  [1, 6, 15, 761, 41, 381.236],
  [2, 11, 9, 637, 104, 518.581],
  [2, 11, 12, 3, 148, 146.17],
  [2, 11, 15, 863, 68, 539.829],
  [3, 16, 9, 949, 104, 806.521],
  [3, 16, 12, 941, 128, 1026.869],
  [3, 16, 15, 306, 205, 403.782],
  [4, 21, 9, 959, 98, 883.001],
  [4, 21, 12, 972, 120, 1092.981],
  [4, 21, 15, 892, 91, 664.128],
  [5, 26, 9, 0, 66, 62.845],
  [5, 26, 12, 39, 421, 459.095],
  [5, 26, 15, 151, 322, 415.112],
  [6, 3, 9, 441, 358, 731.826],
  [6, 3, 12, 19, 301, 309.964],
  [6, 3, 15, 219, 324, 461.994],
  [7, 8, 9, 893, 104, 834.245],
  [7, 8, 12, 4, 124, 122.742],
  [7, 8, 15, 317, 315, 529.032],
  [8, 13, 9, 900, 96, 824.274],
  [8, 13, 12, 918, 119, 1044.085],
  [8, 13, 15, 817, 105, 654.086],
  [9, 18, 9, 901, 87, 797.08],
  [9, 18, 12, 947, 92, 999.871],
  [9, 18, 15, 572, 136, 477.937],
  [10, 23, 9, 34, 200, 231.906],
  [10, 23, 12, 987, 69, 913.056],
  [10, 23, 15, 796, 51, 420.477],
  [11, 28, 9, 332, 140, 364.075],
  [11, 28, 12, 0, 12, 11.374],
  [11, 28, 15, 0, 17, 16.094],
  [12, 5, 9, 848, 55, 566.4],
  [12, 5, 12, 532, 152, 579.702],
  [12, 5, 15, 0, 3, 2.836],
];

test('hours of the example year of NREL have their light by Perez, and less of it under an even sky', () => {
  const path = sunPath(
    // Hours of UTC-7 by their middles.
    DENVER.map(([month, day, hour]) => Date.UTC(2015, month - 1, day, hour + 7, 30)),
    39.73,
    -105.18,
  );
  const sky = skySeries(path, {
    dniWm2: DENVER.map((hour) => hour[3]),
    dhiWm2: DENVER.map((hour) => hour[4]),
  });
  const published = DENVER.map((hour) => hour[5]);
  const sum = (values: Iterable<number>) => [...values].reduce((all, value) => all + value, 0);
  const of = (model: (typeof SKY_MODELS)[number]) =>
    planeSeriesWm2(path, sky, [{ tiltDeg: 20, azimuthDeg: 180, share: 1 }], { model });
  const perez = of('perez');
  published.forEach((light, i) => {
    expect(Math.abs((perez[i] as number) - light)).toBeLessThan(4);
  });
  expect(Math.abs(sum(perez) / sum(published) - 1)).toBeLessThan(0.001);
  expect(Math.abs(sum(of('hay-davies')) / sum(published) - 1)).toBeLessThan(0.012);
  expect(sum(of('isotropic')) / sum(published)).toBeLessThan(0.98);
});
