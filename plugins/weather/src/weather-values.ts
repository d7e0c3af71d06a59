import type { Column, Value } from '@albedo/plugin-kit/records/record';
import type { Sentence } from './sentences.ts';

/** In the order in which they are written. */
const UNITS = new Map([
  ['Ambient Temperature', '°C'],
  ['Relative Humidity', '%'],
  ['Dew Point', '°C'],
  ['Air Pressure', 'hPa'],
  ['Wind Speed', 'm/s'],
  ['Wind Direction', '°'],
]);

/** To m/s. */
const SPEEDS = new Map([
  ['M', 1],
  ['K', 1 / 3.6],
  ['N', 1852 / 3600],
  ['S', 0.447_04],
]);

export interface NamedField {
  name: string;
  units: string;
}

type Measured = Map<string, number>;
type Reader = (cells: readonly string[], into: Measured, names: ReadonlyMap<string, NamedField>) => void;

/** By the kind of the sentence. Source: NMEA 0183, and for MDA and XDR "NMEA Revealed" by Eric S. Raymond. */
const READERS = new Map<string, Reader>([
  [
    'MDA',
    (cells, into) => {
      put(into, 'Air Pressure', scaled(cells[2], 1000));
      put(into, 'Ambient Temperature', scaled(cells[4]));
      put(into, 'Relative Humidity', scaled(cells[8]));
      put(into, 'Dew Point', scaled(cells[10]));
      put(into, 'Wind Direction', scaled(cells[12]));
      put(into, 'Wind Speed', scaled(cells[18]));
    },
  ],
  [
    'MWV',
    ([angle, , speed, unit = '', status], into) => {
      if (status !== 'A') return;
      put(into, 'Wind Direction', scaled(angle));
      put(into, 'Wind Speed', scaled(speed, SPEEDS.get(unit) ?? Number.NaN));
    },
  ],
  [
    'MWD',
    (cells, into) => {
      put(into, 'Wind Direction', scaled(cells[0]));
      put(into, 'Wind Speed', scaled(cells[6]));
    },
  ],
  [
    'XDR',
    (cells, into, names) => {
      for (let at = 0; at + 3 < cells.length; at += 4) {
        const [kind, value, unit, name = ''] = cells.slice(at, at + 4);
        const own = names.get(name);
        if (own) put(into, own.name, scaled(value));
        else if (kind === 'C' && unit === 'C' && /AIR|AMB|TEMP|^T/i.test(name))
          put(into, 'Ambient Temperature', scaled(value));
        else if (kind === 'H' && unit === 'P') put(into, 'Relative Humidity', scaled(value));
        else if (kind === 'P' && unit === 'B') put(into, 'Air Pressure', scaled(value, 1000));
        else if (kind === 'P' && unit === 'P') put(into, 'Air Pressure', scaled(value, 0.01));
      }
    },
  ],
]);

/** What stations said, the newest of each; null columns are left out. `names` are transducers that people have named. */
export function weatherValues(
  sentences: readonly Sentence[],
  names: ReadonlyMap<string, NamedField>,
): { columns: Column[]; values: Value[] } {
  const measured: Measured = new Map();
  for (const { kind, cells } of sentences) READERS.get(kind)?.(cells, measured, names);
  const units = new Map([...UNITS, ...[...names.values()].map((one) => [one.name, one.units] as const)]);
  const shown = [...units].filter(([name]) => measured.has(name));
  return {
    columns: shown.map(([name, unit]) => ({
      name,
      type: 'decimal',
      ...(unit === '' ? {} : { units: unit }),
    })),
    values: shown.map(([name]) => measured.get(name) ?? null),
  };
}

function put(into: Measured, name: string, value: number | null): void {
  if (value !== null) into.set(name, value);
}

function scaled(text: string | undefined, factor = 1): number | null {
  if (!text || !/^[+-]?\d*\.?\d+$/.test(text)) return null;
  const value = Number(text) * factor;
  return Number.isFinite(value) ? Number(value.toFixed(3)) : null;
}
