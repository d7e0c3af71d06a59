/** Points of inverters. Source as in `models.ts`. */
import { named, PERCENT, rows } from './model.ts';

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

/** Models 101 to 103. */
export const inverterPoints = [
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

/** Models 111 to 113. */
export const inverterFloatPoints = [
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
