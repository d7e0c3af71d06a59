import { expect, test } from 'vitest';
import {
  cellC,
  cellOfModuleC,
  faimanModuleC,
  noctCellC,
  SAPM_MOUNTS,
  sapmCellC,
  sapmModuleC,
  weightedMeanC,
} from './temperature.ts';

const GLASS = SAPM_MOUNTS['open-rack-glass-glass'];

test('the model of Sandia has the values of the tests of pvlib', () => {
  expect(sapmCellC(900, 20, 5, GLASS)).toBeCloseTo(43.509, 2);
  expect(sapmModuleC(900, 20, 5, GLASS)).toBeCloseTo(40.809, 2);
  expect(cellOfModuleC(50, 900, GLASS)).toBeCloseTo(52.7, 6);
  expect(sapmCellC(500, 10, 5, GLASS)).toBeCloseTo(23.06066166, 6);
  expect(sapmModuleC(500, 10, 5, GLASS)).toBeCloseTo(21.56066166, 6);
  expect(sapmCellC(0, 5, 0, GLASS)).toBe(5);
});

test('the model of Faiman has the values of the tests of pvlib', () => {
  expect(faimanModuleC(900, 20, 5)).toBeCloseTo(35.203, 3);
  expect(faimanModuleC(900, 20, 5, 22, 6)).toBeCloseTo(37.308, 3);
  expect(faimanModuleC(500, 10, 5)).toBeCloseTo(18.446, 3);
});

test('at 800 W/m², 25 °C and 3 m/s the three models say 45.6, 50.0 and 42.6 °C', () => {
  expect(cellC(800, 25, 3, { model: 'sapm' })).toBeCloseTo(45.6, 1);
  expect(cellC(800, 25, 3, { model: 'noct' })).toBeCloseTo(50, 6);
  expect(cellC(800, 25, 3, { model: 'faiman' })).toBeCloseTo(42.6, 1);
  expect(noctCellC(800, 20, 47)).toBe(47);
});

test('without wind there is a light breeze, without air there is no temperature', () => {
  expect(cellC(800, 25, Number.NaN, { model: 'faiman' })).toBeCloseTo(faimanModuleC(800, 25, 1), 9);
  expect(cellC(800, Number.NaN, 3, { model: 'sapm' })).toBeNaN();
});

test('a mean weighted by irradiance counts an hour that lacks either for neither sum', () => {
  expect(weightedMeanC([300, 800, 600], [30, 52, 45])).toBeCloseTo((9000 + 41_600 + 27_000) / 1700, 9);
  expect(weightedMeanC([300, Number.NaN, 600], [30, 52, Number.NaN])).toBe(30);
  expect(weightedMeanC([0, 0], [10, 12])).toBeNull();
});

test('a module in the sun is 31 K warmer than the air at 1000 W/m² and 1 m/s, as Faiman found', () => {
  expect(faimanModuleC(1000, 20, 1)).toBeCloseTo(51.4, 1);
  expect(faimanModuleC(0, 20, 1)).toBe(20);
});
