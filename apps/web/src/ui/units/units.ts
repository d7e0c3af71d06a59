import {
  decimalsBelow,
  formatFixed,
  isShown,
  NO_VALUE,
  type Prefix,
  plain,
  type Scaling,
  scalingFor,
  UNSCALED,
} from './numbers.ts';

/** Energy, power, peak power and resistance scale up to giga; the others of this list up to tera. */
const UP_TO_GIGA = ['W', 'Wh', 'Wp', 'VA', 'VAh', 'var', 'varh', 'Ω', 'ohm'];
const UP_TO_TERA = ['V', 'A', 'Ah', 'B', 'B/s', 'bit/s', 'Hz', 'J', 'N', 'Pa'];
const SCALABLE = new Set([...UP_TO_GIGA, ...UP_TO_TERA]);
const PREFIX_FACTOR: Readonly<Record<Exclude<Prefix, ''>, number>> = { k: 1e3, M: 1e6, G: 1e9, T: 1e12 };
const OTHER_SPELLINGS: Readonly<Record<string, string>> = {
  C: '°C',
  degC: '°C',
  celsius: '°C',
  percent: '%',
  pct: '%',
  'W/m2': 'W/m²',
  'W/m^2': 'W/m²',
  ohm: 'Ω',
  Ohm: 'Ω',
  VAR: 'var',
  VAr: 'var',
  VARh: 'varh',
  deg: '°',
  bytes: 'B',
};

/** Decimals of units without prefixes, as health shows them; others have at most two, and no empty ones. */
const DECIMALS: Readonly<Record<string, number>> = { '%': 1, '°C': 1, 'W/m²': 0, 'kWh/m²': 2, 'kWh/kWp': 2 };

export interface BaseUnit {
  /** The unit without its prefix, as it is written for people; empty where there is none. */
  unit: string;
  /** A value times this is in `unit`. */
  factor: number;
}

/** Splits `kW` into watts and a factor of 1000, so that fields in W and in kW share an axis. */
export function baseUnit(units: string | null | undefined): BaseUnit {
  const written = units?.trim() ?? '';
  const unit = OTHER_SPELLINGS[written] ?? written;
  if (SCALABLE.has(unit)) return { unit, factor: 1 };
  const factor = PREFIX_FACTOR[unit.charAt(0) as Exclude<Prefix, ''>];
  const rest = OTHER_SPELLINGS[unit.slice(1)] ?? unit.slice(1);
  return factor !== undefined && SCALABLE.has(rest) ? { unit: rest, factor } : { unit, factor: 1 };
}

/** The step in which values up to `largest` (in the base unit) are shown; units without prefixes stay as they are. */
export function unitScaling(unit: string, largest: number): Scaling {
  if (unit !== '' && !SCALABLE.has(unit)) return UNSCALED;
  return scalingFor(largest, UP_TO_GIGA.includes(unit) ? 'G' : 'T');
}

export interface ShownValue {
  number: string;
  /** With its prefix; empty where there is none. */
  unit: string;
}

/** Number and unit apart, for tiles that set them in different type. */
export function shownValue(value: number | null | undefined, units?: string | null): ShownValue {
  if (!isShown(value)) return { number: NO_VALUE, unit: '' };
  const { unit, factor } = baseUnit(units);
  const inBase = value * factor;
  const scaling = unitScaling(unit, inBase);
  if (scaling.prefix !== '') {
    return {
      number: formatFixed(inBase / scaling.factor, 2),
      unit: `${scaling.prefix}${unit}`,
    };
  }
  const decimals = DECIMALS[unit];
  const isTiny = decimals !== undefined && inBase !== 0 && Math.abs(inBase) < 0.5 * 10 ** -decimals;
  return { number: decimals === undefined || isTiny ? plain(inBase) : formatFixed(inBase, decimals), unit };
}

/**
 * Values that stand together, as in a column or below one axis: all in the step of the largest, with as many decimals as
 * the one that needs most. `reach` (in the base unit) is the largest value of what stands beside them.
 */
export function shownAlike(
  values: readonly (number | null | undefined)[],
  units?: string | null,
  reach = 0,
): ShownValue[] {
  const { unit, factor } = baseUnit(units);
  const known = values.filter(isShown).map((value) => value * factor);
  const largest = Math.max(Math.abs(reach), ...known.map(Math.abs));
  const scaling = unitScaling(unit, largest);
  const decimals = scaling.prefix === '' ? (DECIMALS[unit] ?? decimalsOf(known, largest)) : 2;
  return values.map((value) => {
    if (!isShown(value)) return { number: NO_VALUE, unit: '' };
    const number = formatFixed((value * factor) / scaling.factor, decimals);
    return { number, unit: `${scaling.prefix}${unit}` };
  });
}

/** As many decimals as the value that needs most; no more than the largest of them deserves. */
function decimalsOf(values: readonly number[], largest: number): number {
  const most = largest === 0 ? 0 : decimalsBelow(largest);
  const needs = (decimals: number) =>
    values.some((value) => {
      const digits = Math.round(Math.abs(value) * 10 ** most);
      return digits % 10 ** (most - decimals) !== 0;
    });
  let decimals = 0;
  while (decimals < most && needs(decimals)) decimals++;
  return decimals;
}

/** `shownAlike` as texts. */
export const formatAlike = (...asked: Parameters<typeof shownAlike>): string[] =>
  shownAlike(...asked).map(({ number, unit }) => (unit === '' ? number : `${number} ${unit}`));

/** A value for people with its unit: `4.82 kW`, `63.5 %`. */
export function formatValue(value: number | null | undefined, units?: string | null): string {
  const { number, unit } = shownValue(value, units);
  return unit === '' ? number : `${number} ${unit}`;
}

/** Size in bytes. */
export const formatBytes = (bytes: number | null | undefined): string => formatValue(bytes, 'B');

/**
 * Labels of an axis: one prefix for all of them, chosen by the largest, and as many decimals as their distance needs.
 * `values` are in the base unit, and so is `reach`, the largest value drawn, where labels shall have the step of that one.
 */
export function formatAxis(values: readonly number[], unit: string, reach?: number): string[] {
  const largest = reach ?? Math.max(...values.map(Math.abs), 0);
  const { factor, prefix } = unitScaling(unit, largest);
  const step = values.length > 1 ? Math.abs((values[1] ?? 0) - (values[0] ?? 0)) / factor : largest / factor;
  const decimals = step > 0 ? Math.min(8, Math.max(0, -Math.floor(Math.log10(step) + 1e-9))) : 0;
  // A step of 2.5 has a decimal more than its magnitude says.
  const needed =
    step > 0 && Math.abs(step * 10 ** decimals - Math.round(step * 10 ** decimals)) > 1e-6 ? 1 : 0;
  const suffix = `${prefix}${unit}`;
  return values.map((value) => {
    const text = formatFixed(value / factor, decimals + needed);
    return suffix === '' ? text : `${text} ${suffix}`;
  });
}
