import type { Column, PluginRecord, Value } from '@albedo/plugin-kit/records/record';
import { instantIn, zoneOffsets } from '@albedo/plugin-kit/times/zones';
import type { ObisLine } from './telegram.ts';

interface Kind {
  /** Last part of the source. */
  name: string;
  column: string;
  units: string;
}

/** By the device type of M-Bus. Source: DSMR P1 Companion Standard 5.0.2, section 6.12; EN 13757-3, table 3. */
const KINDS: Readonly<Record<number, Kind>> = {
  2: { name: 'electricity', column: 'Import Energy', units: 'Wh' },
  3: { name: 'gas', column: 'Gas Volume', units: 'm³' },
  4: { name: 'heat', column: 'Heat Energy', units: 'Wh' },
  6: { name: 'warm-water', column: 'Water Volume', units: 'm³' },
  7: { name: 'water', column: 'Water Volume', units: 'm³' },
  10: { name: 'cold', column: 'Cold Energy', units: 'Wh' },
  11: { name: 'cold', column: 'Cold Energy', units: 'Wh' },
  12: { name: 'heat', column: 'Heat Energy', units: 'Wh' },
};
/** Readings, with and without correction to the standard temperature, and of DSMR 3 and before. */
const READINGS = ['24.2.1', '24.2.3', '24.3.0'];
/** By unit: those that `KINDS` has, and how many of them one is. */
const UNITS: Readonly<Record<string, [units: string, factor: number]>> = {
  m3: ['m³', 1],
  dm3: ['m³', 0.001],
  l: ['m³', 0.001],
  GJ: ['Wh', 1e9 / 3600],
  MJ: ['Wh', 1e6 / 3600],
  MWh: ['Wh', 1e6],
  kWh: ['Wh', 1000],
  Wh: ['Wh', 1],
};

/** What another meter told by way of the electricity meter, at the time at which it told it. */
export interface SubMeterReading {
  /** Parts behind the name of the meter: the kind, and its channel where several are of a kind. */
  source: string[];
  columns: Column[];
  values: Value[];
  at: number;
}

/**
 * The newest readings of the gas, water and heat meters behind a meter, each at its own hour.
 *
 * `zone` is that of the meter's clock. A reading whose time or value is none is left out.
 */
export function subMeterReadings(lines: readonly ObisLine[], zone: string): SubMeterReading[] {
  const channels = [...new Set(lines.map(({ channel }) => channel))].filter((channel) => channel > 0);
  const found = channels.flatMap((channel) => {
    const own = lines.filter((line) => line.channel === channel);
    const type = Number(own.find(({ code }) => code === '24.1.0')?.values[0]);
    const line = own.find(({ code }) => READINGS.includes(code));
    const kind = KINDS[type];
    const at = line && readStamp(line.values[0] ?? '', zone);
    const value = line && kind && amountIn(line, kind.units);
    return kind && at && value !== undefined && value !== null ? [{ channel, kind, at, value }] : [];
  });
  return found.map(({ channel, kind, at, value }) => ({
    source:
      found.filter((one) => one.kind.name === kind.name).length > 1 ? [kind.name, `${channel}`] : [kind.name],
    columns: [{ name: kind.column, type: 'decimal', units: kind.units }],
    values: [value],
    at,
  }));
}

/** `12785.123*m3`, or as DSMR 3 and before write it, the unit in a bracket before the value. */
function amountIn({ code, values }: ObisLine, wanted: string): number | null {
  const [digits = '', unit = ''] =
    code === '24.3.0' ? [values.at(-1), values.at(-2)] : (values.at(-1) ?? '').split('*');
  const [units, factor] = UNITS[unit] ?? [];
  if (units !== wanted || factor === undefined || !/^\d+(?:\.\d+)?$/.test(digits)) return null;
  return Number((Number(digits) * factor).toFixed(3));
}

const STAMP = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)([SW]?)$/;

/** `YYMMDDhhmmss` and S in summer or W in winter; meters before DSMR 4 leave that out. Null for what is no time. */
export function readStamp(text: string, zone: string): number | null {
  const [, ...parts] = STAMP.exec(text) ?? [];
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.slice(0, 6).map(Number);
  const shown = Date.UTC(2000 + year, month - 1, day, hour, minute, second);
  const isReal = parts.length > 0 && new Date(shown).toISOString().slice(2, 10) === stampDay(parts);
  // A clock that was never set begins at the turn of the century.
  if (!isReal || year === 0 || hour > 23 || minute > 59 || second > 59) return null;
  if (parts[6] !== 'W') return instantIn(zone, shown, parts[6] === 'S');
  return shown - zoneOffsets(zone, 2000 + year).standardMinutes * 60_000;
}

const stampDay = ([year, month, day]: string[]): string => `${year}-${month}-${day}`;

/** A reading as a record of its own, beside that of the meter. */
export const subMeterRecord = (
  { source, columns, values, at }: SubMeterReading,
  meter: PluginRecord['source'],
): PluginRecord => ({ table: 'meter', source: [...meter, ...source], columns, values, at });
