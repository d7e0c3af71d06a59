import { expect, test } from 'vitest';
import { findShortfalls } from './shortfall.ts';

const DAYS = 30;
const hours = Array.from({ length: DAYS * 24 }, (_, i) => i);
const day = hours.map((i) => Math.floor(i / 24));
/** A day of light; each has a weather of its own. */
const light = hours.map((i) => {
  const sky = 0.5 + 0.5 * Math.abs(Math.sin(day[i] as number));
  return Math.max(0, Math.sin(((i % 24) - 6) * (Math.PI / 12))) * 900 * sky;
});
/** Inverters of several sizes that make `factor` of the light. */
const plant = (...factors: ((d: number) => number)[]) =>
  factors.map((factor, n) =>
    hours.map((i) => (light[i] as number) * 20 * (n + 1) * factor(day[i] as number)),
  );
const whole = () => 1;

test('a plant that does what it always did has no shortfall', () => {
  expect(findShortfalls({ day, powerW: plant(whole, whole), irradianceWm2: light })).toEqual([]);
});

test('an inverter that lost a string is found with its day and its part', () => {
  const powerW = plant(whole, (d) => (d >= 24 ? 0.75 : 1), whole);
  const [found, ...others] = findShortfalls({ day, powerW, irradianceWm2: light });
  expect(found).toMatchObject({ inverter: 1, sinceDay: 24, by: 'irradiance' });
  expect(found?.part).toBeCloseTo(0.25);
  expect(others).toEqual([]);
});

test('a small loss is found against the others, and without a sensor too', () => {
  const powerW = plant(whole, whole, (d) => (d >= 20 ? 0.92 : 1));
  const found = { inverter: 2, sinceDay: 20, by: 'peers', part: expect.closeTo(0.08, 2) };
  expect(findShortfalls({ day, powerW, irradianceWm2: light })).toEqual([found]);
  expect(findShortfalls({ day, powerW, irradianceWm2: null })).toEqual([found]);
});

test('two inverters that fall one after the other are told apart by the irradiance', () => {
  const powerW = plant(
    (d) => (d >= 22 ? 0.75 : 1),
    (d) => (d >= 18 && d < 26 ? 0.75 : 1),
  );
  const found = findShortfalls({ day, powerW, irradianceWm2: light });
  expect(found).toMatchObject([{ inverter: 0, sinceDay: 22 }]);
});

test('what all inverters lack is the plant as a whole', () => {
  const soiled = (d: number) => (d >= 25 ? 0.7 : 1);
  const found = findShortfalls({ day, powerW: plant(soiled, soiled, soiled), irradianceWm2: light });
  expect(found).toEqual([{ inverter: null, sinceDay: 25, part: expect.closeTo(0.3, 2), by: 'irradiance' }]);
});

test('one bad day, a sensor that hangs and gaps are no shortfall', () => {
  expect(
    findShortfalls({ day, powerW: plant((d) => (d === 29 ? 0.3 : 1), whole), irradianceWm2: light }),
  ).toEqual([]);
  const hanging = light.map((one, i) => ((day[i] as number) >= 27 ? 640 : one));
  expect(findShortfalls({ day, powerW: plant(whole, whole), irradianceWm2: hanging })).toEqual([]);
  const silent = plant(whole, whole).map((one) =>
    one.map((value, i) => ((day[i] as number) >= 26 ? null : value)),
  );
  expect(findShortfalls({ day, powerW: silent, irradianceWm2: light })).toEqual([]);
});
