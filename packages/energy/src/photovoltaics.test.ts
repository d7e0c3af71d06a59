import { expect, test } from 'vitest';
import { arrayPowerW, inverterAcPowerW, stringVoltageV } from './photovoltaics.ts';

const LOSSES = { standing: 0.003, linear: 0.006, quadratic: 0.008 };

test('an array gives its rated power at standard test conditions and less when hot', () => {
  expect(arrayPowerW(5000, 1000, 25, -0.0035)).toBe(5000);
  expect(arrayPowerW(5000, 1000, 65, -0.0035)).toBeCloseTo(4300, 6);
});

test('a string holds its voltage over the day but has none in the dark', () => {
  expect(stringVoltageV(600, 1000, 25, -0.003)).toBe(600);
  expect(stringVoltageV(600, 100, 25, -0.003)).toBeGreaterThan(550);
  expect(stringVoltageV(600, 0, 5, -0.003)).toBe(0);
});

test('an inverter clips at its rated power, has its best efficiency in between and none at its own needs', () => {
  expect(inverterAcPowerW(13_000, 10_000, LOSSES)).toBe(10_000);
  expect(inverterAcPowerW(5000, 10_000, LOSSES) / 5000).toBeCloseTo(0.984, 3);
  expect(inverterAcPowerW(20, 10_000, LOSSES)).toBe(0);
});
