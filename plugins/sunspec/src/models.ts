/**
 * Points of the SunSpec information models that become columns.
 * Source: github.com/sunspec/models, tag v2026-04-20 (json/model_<id>.json). Offsets count from the model's id register.
 * Names follow the convention for solar machines, so that makes can be compared.
 */
export type PointType =
  | 'int16'
  | 'uint16'
  | 'acc32'
  | 'uint32'
  | 'acc64'
  | 'float32'
  | 'enum16'
  | 'bits16'
  | 'bits32';

export interface Point {
  offset: number;
  type: PointType;
  /** Offset of the register with the power of ten, counted from the model's id; null when there is none. */
  scaleAt: number | null;
  /** Multiplied in after the scale factor. */
  factor: number;
  column: string;
  units: string;
  /** Names of the values of an enumeration, or of the bits. */
  names?: Record<number, string>;
}

export interface Model {
  id: number;
  title: string;
  table: 'solar' | 'meter' | 'weather' | 'battery' | 'strings';
  points: Point[];
  /** Points that repeat after `fixedLength` registers (id and length included), `repeatLength` registers each. */
  repeating: { fixedLength: number; repeatLength: number; points: Point[] } | null;
}

type Row = [
  offset: number,
  type: PointType,
  scaleAt: number | null,
  column: string,
  units?: string,
  factor?: number,
];

const rows = (...list: Row[]): Point[] =>
  list.map(([offset, type, scaleAt, column, units = '', factor = 1]) => ({
    offset,
    type,
    scaleAt,
    factor,
    column,
    units,
  }));

const named = (
  offset: number,
  type: 'enum16' | 'bits16' | 'bits32',
  column: string,
  names: Record<number, string>,
): Point => ({
  offset,
  type,
  scaleAt: null,
  factor: 1,
  column,
  units: '',
  names,
});

const INVERTER_STATES = {
  1: 'Off',
  2: 'Sleeping',
  3: 'Starting',
  4: 'MPPT',
  5: 'Throttled',
  6: 'Shutting down',
  7: 'Fault',
  8: 'Standby',
};

const INVERTER_EVENTS = {
  0: 'Ground fault',
  1: 'DC over voltage',
  2: 'AC disconnect',
  3: 'DC disconnect',
  4: 'Grid disconnect',
  5: 'Cabinet open',
  6: 'Manual shutdown',
  7: 'Over temperature',
  8: 'Over frequency',
  9: 'Under frequency',
  10: 'AC over voltage',
  11: 'AC under voltage',
  12: 'Blown string fuse',
  13: 'Under temperature',
  14: 'Memory loss',
  15: 'Hardware test failure',
};

const PERCENT = 0.01;

const inverterPoints = [
  ...rows(
    [14, 'int16', 15, 'AC Power', 'W'],
    [18, 'int16', 19, 'Apparent Power', 'VA'],
    [20, 'int16', 21, 'Reactive Power', 'var'],
    [22, 'int16', 23, 'Cos Phi', '', PERCENT],
    [2, 'uint16', 6, 'AC Current', 'A'],
    [3, 'uint16', 6, 'AC Current 1', 'A'],
    [4, 'uint16', 6, 'AC Current 2', 'A'],
    [5, 'uint16', 6, 'AC Current 3', 'A'],
    [10, 'uint16', 13, 'AC Voltage 1', 'V'],
    [11, 'uint16', 13, 'AC Voltage 2', 'V'],
    [12, 'uint16', 13, 'AC Voltage 3', 'V'],
    [7, 'uint16', 13, 'AC Voltage 12', 'V'],
    [8, 'uint16', 13, 'AC Voltage 23', 'V'],
    [9, 'uint16', 13, 'AC Voltage 31', 'V'],
    [16, 'uint16', 17, 'Grid Freq', 'Hz'],
    [24, 'acc32', 26, 'Total Energy', 'Wh'],
    [31, 'int16', 32, 'DC Power', 'W'],
    [27, 'uint16', 28, 'DC Current', 'A'],
    [29, 'uint16', 30, 'DC Voltage', 'V'],
    [33, 'int16', 37, 'Cabinet Temperature', '°C'],
    [34, 'int16', 37, 'Heat Sink Temperature', '°C'],
    [35, 'int16', 37, 'Transformer Temperature', '°C'],
    [36, 'int16', 37, 'Other Temperature', '°C'],
  ),
  named(38, 'enum16', 'Status', INVERTER_STATES),
  named(40, 'bits32', 'Event', INVERTER_EVENTS),
];

const inverterFloatPoints = [
  ...rows(
    [22, 'float32', null, 'AC Power', 'W'],
    [26, 'float32', null, 'Apparent Power', 'VA'],
    [28, 'float32', null, 'Reactive Power', 'var'],
    [30, 'float32', null, 'Cos Phi', '', PERCENT],
    [2, 'float32', null, 'AC Current', 'A'],
    [4, 'float32', null, 'AC Current 1', 'A'],
    [6, 'float32', null, 'AC Current 2', 'A'],
    [8, 'float32', null, 'AC Current 3', 'A'],
    [16, 'float32', null, 'AC Voltage 1', 'V'],
    [18, 'float32', null, 'AC Voltage 2', 'V'],
    [20, 'float32', null, 'AC Voltage 3', 'V'],
    [10, 'float32', null, 'AC Voltage 12', 'V'],
    [12, 'float32', null, 'AC Voltage 23', 'V'],
    [14, 'float32', null, 'AC Voltage 31', 'V'],
    [24, 'float32', null, 'Grid Freq', 'Hz'],
    [32, 'float32', null, 'Total Energy', 'Wh'],
    [38, 'float32', null, 'DC Power', 'W'],
    [34, 'float32', null, 'DC Current', 'A'],
    [36, 'float32', null, 'DC Voltage', 'V'],
    [40, 'float32', null, 'Cabinet Temperature', '°C'],
    [42, 'float32', null, 'Heat Sink Temperature', '°C'],
    [44, 'float32', null, 'Transformer Temperature', '°C'],
    [46, 'float32', null, 'Other Temperature', '°C'],
  ),
  named(48, 'enum16', 'Status', INVERTER_STATES),
  named(50, 'bits32', 'Event', INVERTER_EVENTS),
];

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
