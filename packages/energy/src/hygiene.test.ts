import { expect, test } from 'vitest';
import { isPlausiblePower, plausibleIrradianceWm2, plausibleModuleC } from './hygiene.ts';

test('a light sensor shows little under zero at night, and that is zero; what cannot be is a gap', () => {
  expect([-4, 0, 800, 1500].map(plausibleIrradianceWm2)).toEqual([0, 0, 800, 1500]);
  expect([-11, 1501, Number.NaN].map(plausibleIrradianceWm2)).toEqual([Number.NaN, Number.NaN, Number.NaN]);
});

test('a module is between -30 and 100 °C', () => {
  expect([-30, 100].map(plausibleModuleC)).toEqual([-30, 100]);
  expect([-31, 101, Number.NaN].map(plausibleModuleC)).toEqual([Number.NaN, Number.NaN, Number.NaN]);
});

test('power is at most 1.1 times the rating, either way', () => {
  expect([110, -110, 111].map((power) => isPlausiblePower(power, 100))).toEqual([true, true, false]);
  expect(isPlausiblePower(1e9, null)).toBe(true);
});
