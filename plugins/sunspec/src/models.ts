/**
 * Points of the SunSpec information models that become columns.
 * Source: github.com/sunspec/models, tag v2026-04-20 (json/model_<id>.json). Offsets count from the model's id register.
 * Names follow the convention for solar machines, so that makes can be compared.
 */
import { type Model, named, PERCENT, type Point, rows } from './model.ts';
import { inverterFloatPoints, inverterPoints } from './models.inverter.ts';

const meterPoints = rows(
  [18, 'int16', 22, 'AC Power', 'W'],
  [19, 'int16', 22, 'AC Power 1', 'W'],
  [20, 'int16', 22, 'AC Power 2', 'W'],
  [21, 'int16', 22, 'AC Power 3', 'W'],
  [23, 'int16', 27, 'Apparent Power', 'VA'],
  [28, 'int16', 32, 'Reactive Power', 'var'],
  [33, 'int16', 37, 'Cos Phi', '', PERCENT],
  [2, 'int16', 6, 'AC Current', 'A'],
  [3, 'int16', 6, 'AC Current 1', 'A'],
  [4, 'int16', 6, 'AC Current 2', 'A'],
  [5, 'int16', 6, 'AC Current 3', 'A'],
  [8, 'int16', 15, 'AC Voltage 1', 'V'],
  [9, 'int16', 15, 'AC Voltage 2', 'V'],
  [10, 'int16', 15, 'AC Voltage 3', 'V'],
  [12, 'int16', 15, 'AC Voltage 12', 'V'],
  [13, 'int16', 15, 'AC Voltage 23', 'V'],
  [14, 'int16', 15, 'AC Voltage 31', 'V'],
  [16, 'int16', 17, 'Grid Freq', 'Hz'],
  [38, 'acc32', 54, 'Total Energy Exported', 'Wh'],
  [46, 'acc32', 54, 'Total Energy Imported', 'Wh'],
);

const meterFloatPoints = rows(
  [28, 'float32', null, 'AC Power', 'W'],
  [30, 'float32', null, 'AC Power 1', 'W'],
  [32, 'float32', null, 'AC Power 2', 'W'],
  [34, 'float32', null, 'AC Power 3', 'W'],
  [36, 'float32', null, 'Apparent Power', 'VA'],
  [44, 'float32', null, 'Reactive Power', 'var'],
  [52, 'float32', null, 'Cos Phi', '', PERCENT],
  [2, 'float32', null, 'AC Current', 'A'],
  [4, 'float32', null, 'AC Current 1', 'A'],
  [6, 'float32', null, 'AC Current 2', 'A'],
  [8, 'float32', null, 'AC Current 3', 'A'],
  [12, 'float32', null, 'AC Voltage 1', 'V'],
  [14, 'float32', null, 'AC Voltage 2', 'V'],
  [16, 'float32', null, 'AC Voltage 3', 'V'],
  [26, 'float32', null, 'Grid Freq', 'Hz'],
  [60, 'float32', null, 'Total Energy Exported', 'Wh'],
  [68, 'float32', null, 'Total Energy Imported', 'Wh'],
);

const CONNECTIONS = { 0: 'Connected', 1: 'Available', 2: 'Operating', 3: 'Test' };

/** Model 122. Its energies have names of their own: an inverter may tell its yield in two models. */
const statusPoints = [
  ...rows(
    [5, 'acc64', null, 'Lifetime Active Energy', 'Wh'],
    [9, 'acc64', null, 'Lifetime Apparent Energy', 'VAh'],
    [13, 'acc64', null, 'Lifetime Reactive Energy Q1', 'varh'],
    [17, 'acc64', null, 'Lifetime Reactive Energy Q2', 'varh'],
    [21, 'acc64', null, 'Lifetime Reactive Energy Q3', 'varh'],
    [25, 'acc64', null, 'Lifetime Reactive Energy Q4', 'varh'],
    [29, 'int16', 30, 'Available Reactive Power', 'var'],
    [31, 'uint16', 32, 'Available Power', 'W'],
    [44, 'uint16', 45, 'Isolation Resistance', 'Ω'],
  ),
  named(2, 'bits16', 'PV Connection', CONNECTIONS),
  named(3, 'bits16', 'Storage Connection', CONNECTIONS),
  named(4, 'bits16', 'Grid Connection', { 0: 'Connected' }),
  named(33, 'bits32', 'Limits Reached', {
    0: 'WMax',
    1: 'VAMax',
    2: 'VArAval',
    3: 'VArMaxQ1',
    4: 'VArMaxQ2',
    5: 'VArMaxQ3',
    6: 'VArMaxQ4',
    7: 'PFMinQ1',
    8: 'PFMinQ2',
    9: 'PFMinQ3',
    10: 'PFMinQ4',
  }),
  named(35, 'bits32', 'Active Controls', {
    0: 'Fixed W',
    1: 'Fixed VAR',
    2: 'Fixed PF',
    3: 'Volt-VAr',
    4: 'Freq-Watt-Param',
    5: 'Freq-Watt-Curve',
    6: 'Dyn-Reactive-Current',
    7: 'LVRT',
    8: 'HVRT',
    9: 'Watt-PF',
    10: 'Volt-Watt',
    12: 'Scheduled',
    13: 'LFRT',
    14: 'HFRT',
  }),
  named(43, 'bits16', 'Ride Through', { 0: 'LVRT', 1: 'HVRT', 2: 'LFRT', 3: 'HFRT' }),
];

const single = (ids: number[], title: string, table: Model['table'], points: Point[]): Model[] =>
  ids.map((id) => ({ id, title, table, points, repeating: null }));

const MODELS = new Map<number, Model>(
  [
    ...single([101, 102, 103], 'inverter', 'solar', inverterPoints),
    ...single([111, 112, 113], 'inverter (float)', 'solar', inverterFloatPoints),
    ...single([201, 202, 203, 204], 'meter', 'meter', meterPoints),
    ...single([211, 212, 213, 214], 'meter (float)', 'meter', meterFloatPoints),
    ...single([122], 'measurements and status', 'solar', statusPoints),
    ...single([124], 'storage', 'battery', [
      ...rows(
        [2, 'uint16', 18, 'Max Charge Power', 'W'],
        [8, 'uint16', 22, 'State of Charge', '%'],
        [10, 'uint16', 24, 'Battery Voltage', 'V'],
        [12, 'int16', 25, 'Discharge Rate', '%'],
        [13, 'int16', 25, 'Charge Rate', '%'],
      ),
      named(11, 'enum16', 'Status', {
        1: 'Off',
        2: 'Empty',
        3: 'Discharging',
        4: 'Charging',
        5: 'Full',
        6: 'Holding',
        7: 'Testing',
      }),
    ]),
    {
      id: 160,
      title: 'multiple MPPT inputs',
      table: 'solar',
      points: [],
      repeating: {
        fixedLength: 10,
        repeatLength: 20,
        points: rows(
          [9, 'uint16', 2, 'DC Current', 'A'],
          [10, 'uint16', 3, 'DC Voltage', 'V'],
          [11, 'uint16', 4, 'DC Power', 'W'],
          [12, 'acc32', 5, 'DC Energy', 'Wh'],
          [16, 'int16', null, 'DC Temperature', '°C'],
        ),
      },
    },
    {
      id: 302,
      title: 'irradiance',
      table: 'weather',
      points: [],
      repeating: {
        fixedLength: 2,
        repeatLength: 5,
        points: rows(
          [0, 'uint16', null, 'Global Irradiance', 'W/m²'],
          [1, 'uint16', null, 'Plane Irradiance', 'W/m²'],
          [2, 'uint16', null, 'Diffuse Irradiance', 'W/m²'],
          [3, 'uint16', null, 'Direct Irradiance', 'W/m²'],
          [4, 'uint16', null, 'Other Irradiance', 'W/m²'],
        ),
      },
    },
    {
      id: 303,
      title: 'module temperature',
      table: 'weather',
      points: [],
      repeating: {
        fixedLength: 2,
        repeatLength: 1,
        points: rows([0, 'int16', null, 'Module Temperature', '°C', 0.1]),
      },
    },
    ...single(
      [307],
      'meteorological',
      'weather',
      rows(
        [2, 'int16', null, 'Ambient Temperature', '°C', 0.1],
        [3, 'int16', null, 'Relative Humidity', '%'],
        [4, 'int16', null, 'Air Pressure', 'hPa'],
        [5, 'int16', null, 'Wind Speed', 'm/s'],
        [6, 'int16', null, 'Wind Direction', '°'],
        [7, 'int16', null, 'Rainfall', 'mm'],
        [8, 'int16', null, 'Snow Depth', 'mm'],
      ),
    ),
    {
      id: 401,
      title: 'string combiner',
      table: 'strings',
      points: rows(
        [11, 'int16', 2, 'DC Current', 'A'],
        [14, 'uint16', 4, 'DC Voltage', 'V'],
        [15, 'int16', null, 'Temperature', '°C'],
      ),
      repeating: { fixedLength: 16, repeatLength: 8, points: rows([5, 'int16', 2, 'String Current', 'A']) },
    },
    {
      id: 402,
      title: 'string combiner (advanced)',
      table: 'strings',
      points: rows(
        [13, 'int16', 2, 'DC Current', 'A'],
        [16, 'uint16', 4, 'DC Voltage', 'V'],
        [17, 'int16', null, 'Temperature', '°C'],
        [18, 'int16', 5, 'DC Power', 'W'],
        [20, 'uint32', 6, 'DC Energy', 'Wh'],
      ),
      // The power of a string goes by the factor of energies there, and its energy by none.
      repeating: {
        fixedLength: 22,
        repeatLength: 14,
        points: rows(
          [5, 'int16', 2, 'String Current', 'A'],
          [8, 'uint16', 4, 'String Voltage', 'V'],
          [9, 'int16', 6, 'String Power', 'W'],
          [10, 'uint32', null, 'String Energy', 'Wh'],
        ),
      },
    },
    {
      id: 404,
      title: 'string combiner (advanced)',
      table: 'strings',
      points: rows(
        [13, 'int16', 2, 'DC Current', 'A'],
        [16, 'int16', 4, 'DC Voltage', 'V'],
        [17, 'int16', null, 'Temperature', '°C'],
        [18, 'int16', 5, 'DC Power', 'W'],
        [20, 'acc32', 6, 'DC Energy', 'Wh'],
      ),
      repeating: {
        fixedLength: 27,
        repeatLength: 14,
        points: rows(
          [5, 'int16', 22, 'String Current', 'A'],
          [8, 'int16', 24, 'String Voltage', 'V'],
          [9, 'int16', 25, 'String Power', 'W'],
          [10, 'acc32', 26, 'String Energy', 'Wh'],
        ),
      },
    },
    {
      id: 403,
      title: 'string combiner',
      table: 'strings',
      points: rows(
        [11, 'int16', 2, 'DC Current', 'A'],
        [14, 'int16', 4, 'DC Voltage', 'V'],
        [15, 'int16', null, 'Temperature', '°C'],
      ),
      repeating: { fixedLength: 18, repeatLength: 8, points: rows([5, 'int16', 16, 'String Current', 'A']) },
    },
  ].map((model) => [model.id, model as Model]),
);

/** Null for a model whose points are not read. */
export const findModel = (id: number): Model | null => MODELS.get(id) ?? null;
