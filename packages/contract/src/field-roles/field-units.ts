import type { Dimension } from './field-roles.ts';

/** A written unit in the base unit of its dimension: `value * factor + offset`. */
export interface UnitScale {
  dimension: Dimension;
  factor: number;
  offset: number;
}

const BASES: readonly (readonly [Dimension, readonly string[], factor?: number])[] = [
  ['power', ['w', 'watt', 'watts', 'wac', 'wdc']],
  ['energy', ['wh', 'watthour', 'watthours']],
  ['energy', ['ws', 'j', 'joule'], 1 / 3600],
  ['apparentPower', ['va']],
  ['reactivePower', ['var', 'vars']],
  ['voltage', ['v', 'volt', 'volts', 'vac', 'vdc']],
  ['current', ['a', 'amp', 'amps', 'ampere', 'aac', 'adc']],
  ['frequency', ['hz', 'hertz']],
];
const PREFIXES: Readonly<Record<string, number>> = { '': 1, m: 1e-3, k: 1e3, M: 1e6, G: 1e9, T: 1e12 };

/** Units without prefixes, in lower case. */
const OTHERS: Readonly<Record<string, readonly [Dimension, factor: number, offset?: number]>> = {
  'w/m²': ['irradiance', 1],
  'w/m2': ['irradiance', 1],
  'w/m^2': ['irradiance', 1],
  'w/sqm': ['irradiance', 1],
  'wm-2': ['irradiance', 1],
  'kw/m²': ['irradiance', 1000],
  'kw/m2': ['irradiance', 1000],
  '°c': ['temperature', 1],
  c: ['temperature', 1],
  degc: ['temperature', 1],
  celsius: ['temperature', 1],
  '°f': ['temperature', 5 / 9, -160 / 9],
  f: ['temperature', 5 / 9, -160 / 9],
  degf: ['temperature', 5 / 9, -160 / 9],
  kelvin: ['temperature', 1, -273.15],
  '%': ['ratio', 1],
  percent: ['ratio', 1],
  pct: ['ratio', 1],
  '%rh': ['ratio', 1],
  'm/s': ['speed', 1],
  'km/h': ['speed', 1 / 3.6],
  kmh: ['speed', 1 / 3.6],
  mph: ['speed', 0.44704],
  '°': ['angle', 1],
  deg: ['angle', 1],
  degrees: ['angle', 1],
};

/** What a unit measures, and how it comes to the base unit; null for one that no role has. */
export function readUnit(units: string | null | undefined): UnitScale | null {
  const written = (units ?? '').trim().replace(/\s+/g, '');
  if (written === '') return null;
  const lower = written.toLowerCase();
  const other = Object.hasOwn(OTHERS, lower) ? OTHERS[lower] : undefined;
  if (other) return { dimension: other[0], factor: other[1], offset: other[2] ?? 0 };
  if (written === 'K') return { dimension: 'temperature', factor: 1, offset: -273.15 };
  for (const [dimension, spellings, scale = 1] of BASES) {
    if (spellings.includes(lower)) return { dimension, factor: scale, offset: 0 };
    const prefix = PREFIXES[prefixOf(written)];
    if (prefix !== undefined && spellings.includes(lower.slice(1)))
      return { dimension, factor: scale * prefix, offset: 0 };
  }
  return null;
}

/** `KWH` and `kWh` are both kilo; of M and m only the case tells mega from milli. */
const prefixOf = (written: string): string => {
  const first = written.charAt(0);
  return 'KGT'.includes(first) ? (first === 'K' ? 'k' : first) : first;
};
