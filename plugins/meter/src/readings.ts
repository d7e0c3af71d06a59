import type { Column, Value } from '@albedo/plugin-kit/records/record';
import type { ObisLine } from './telegram.ts';

interface Quantity {
  codes: string[];
  name: string;
  units: string;
  /** Of the unit in which a value stands without one. */
  usual?: string;
}

/**
 * What is written of a telegram. Source: IEC 62056-61 (OBIS), and the P1 Companion Standard for the codes of tariffs.
 *
 * A code with tariff 0 is the sum; where a meter sends tariffs alone, they are summed.
 */
const QUANTITIES: readonly Quantity[] = [
  { codes: ['16.7.0', '16.7'], name: 'Grid Power', units: 'W' },
  { codes: ['1.7.0', '1.7'], name: 'Import Power', units: 'W' },
  { codes: ['2.7.0', '2.7'], name: 'Export Power', units: 'W' },
  { codes: ['1.8.0', '1.8'], name: 'Import Energy', units: 'Wh' },
  { codes: ['2.8.0', '2.8'], name: 'Export Energy', units: 'Wh' },
  { codes: ['1.8.1'], name: 'Import Energy T1', units: 'Wh' },
  { codes: ['1.8.2'], name: 'Import Energy T2', units: 'Wh' },
  { codes: ['2.8.1'], name: 'Export Energy T1', units: 'Wh' },
  { codes: ['2.8.2'], name: 'Export Energy T2', units: 'Wh' },
  { codes: ['3.8.0', '3.8'], name: 'Reactive Energy Positive', units: 'varh' },
  { codes: ['4.8.0', '4.8'], name: 'Reactive Energy Negative', units: 'varh' },
  { codes: ['32.7.0', '32.7'], name: 'AC Voltage 1', units: 'V' },
  { codes: ['52.7.0', '52.7'], name: 'AC Voltage 2', units: 'V' },
  { codes: ['72.7.0', '72.7'], name: 'AC Voltage 3', units: 'V' },
  { codes: ['31.7.0', '31.7'], name: 'AC Current 1', units: 'A' },
  { codes: ['51.7.0', '51.7'], name: 'AC Current 2', units: 'A' },
  { codes: ['71.7.0', '71.7'], name: 'AC Current 3', units: 'A' },
  { codes: ['14.7.0', '14.7'], name: 'Grid Freq', units: 'Hz' },
  { codes: ['13.7.0', '13.7'], name: 'Cos Phi', units: '' },
];

const FACTORS = new Map([
  ['kWh', 1000],
  ['MWh', 1e6],
  ['Wh', 1],
  ['kW', 1000],
  ['MW', 1e6],
  ['W', 1],
  ['kvarh', 1000],
  ['varh', 1],
]);
/** Where a meter leaves the unit away, it counts so. */
const UNSAID: Readonly<Record<string, string>> = { Wh: 'kWh', W: 'kW', varh: 'kvarh' };

/** Values of the meter itself in base units, those that it sent; grid power is positive for import. */
export function readingsOf(lines: readonly ObisLine[]): { columns: Column[]; values: Value[] } {
  const own = new Map(lines.filter(({ channel }) => channel === 0).map((line) => [line.code, line.values]));
  const values = new Map<string, number | null>();
  for (const { codes, name, units } of QUANTITIES) {
    const code = codes.find((one) => own.has(one));
    if (code !== undefined) values.set(name, amountOf(own.get(code)?.at(-1) ?? '', units));
  }
  sum(values, 'Import Energy');
  sum(values, 'Export Energy');
  const [taken, given] = [values.get('Import Power'), values.get('Export Power')];
  if (!values.has('Grid Power') && taken !== undefined)
    values.set('Grid Power', taken === null || given === null ? null : exact(taken - (given ?? 0)));
  values.delete('Import Power');
  values.delete('Export Power');
  const shown = QUANTITIES.filter(({ name }) => values.has(name));
  return {
    columns: shown.map(({ name, units }) => ({ name, type: 'decimal', ...(units === '' ? {} : { units }) })),
    values: shown.map(({ name }) => values.get(name) ?? null),
  };
}

function sum(values: Map<string, number | null>, name: string): void {
  const parts = ['T1', 'T2']
    .map((tariff) => values.get(`${name} ${tariff}`))
    .filter((one) => one !== undefined);
  if (values.has(name) || parts.length === 0) return;
  values.set(
    name,
    parts.includes(null) ? null : exact(parts.reduce<number>((all, one) => all + (one ?? 0), 0)),
  );
}

function amountOf(text: string, units: string): number | null {
  const [, digits, unit = UNSAID[units] ?? units] =
    /^([+-]?\d+(?:\.\d+)?)(?:\*(.+))?$/.exec(text.trim()) ?? [];
  const factor = FACTORS.get(unit) ?? (unit === units ? 1 : Number.NaN);
  const value = exact(Number(digits) * factor);
  return Number.isFinite(value) ? value : null;
}

/** Without what binary fractions add. */
const exact = (value: number): number => Number(value.toFixed(3));
