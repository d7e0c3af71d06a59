import { expect, test } from 'vitest';
import { headlines, inMeaningfulOrder } from './field-order.ts';

const UNITS: Record<string, string> = {
  'AC Current': 'A',
  'AC Power': 'kW',
  'DC Power': 'W',
  'DC Power 2': 'W',
  'DC Power 10': 'W',
  'Total Energy': 'Wh',
  'Cabinet Temperature': 'degC',
  cpu_usage: '%',
  memory_usage: 'percent',
};
const unitsOf = (field: string) => UNITS[field] ?? null;
const inverter = {
  'AC Current': 12,
  'AC Power': 4,
  'Cabinet Temperature': 40,
  'Cos Phi': 1,
  'DC Power': 4100,
  'DC Power 10': 1,
  'DC Power 2': 2,
  Status: 'MPPT',
  'Total Energy': 9e6,
};

test('power comes first whatever its prefix, then energy and temperature; texts come last', () => {
  expect(inMeaningfulOrder(inverter, unitsOf)).toEqual([
    'AC Power',
    'DC Power',
    'DC Power 2',
    'DC Power 10',
    'Total Energy',
    'Cabinet Temperature',
    'AC Current',
    'Cos Phi',
    'Status',
  ]);
});

test('headlines have one number of each unit, but all the usages of a machine', () => {
  expect(headlines(inverter, unitsOf, 3)).toEqual(['AC Power', 'Total Energy', 'Cabinet Temperature']);
  expect(headlines({ load: 2, memory_usage: 10, cpu_usage: 5 }, unitsOf, 3)).toEqual([
    'cpu_usage',
    'memory_usage',
    'load',
  ]);
});

test('of the irradiances that in the plane of the modules comes first', () => {
  const weather = { 'Diffuse Irradiance': 90, 'Global Irradiance': 700, 'Plane Irradiance': 810 };
  expect(inMeaningfulOrder(weather, () => 'W/m²')).toEqual([
    'Plane Irradiance',
    'Global Irradiance',
    'Diffuse Irradiance',
  ]);
});
