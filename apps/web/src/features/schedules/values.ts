import {
  keptSetpoint,
  parseSetpoint,
  type Setpoint,
  SetpointFault,
  type SetpointKind,
} from '@albedo/contract/schedules/setpoints';
import type { TFunction } from 'i18next';
import { knownFailureText } from '../../app/i18n.ts';
import { formatDecimal, formatFixed, NO_VALUE } from '../../ui/units/numbers.ts';

/** What a value is entered in: a unit, the word of a cos phi, or the base of reactive power. `end` is nothing at all. */
export const UNITS = {
  setpoint_activepower: ['%', 'W', 'kW', 'MW'],
  setpoint_cosphi: ['over-excited', 'under-excited'],
  setpoint_reactivepower: ['% WMax', '% VArMax', '% VArAval', 'var', 'kvar', 'Mvar'],
} as const satisfies Record<SetpointKind, readonly string[]>;

export interface Parts {
  number: number | null;
  unit: string;
}

/** The value that stands where somebody begins. */
export const FIRST_VALUE = {
  setpoint_activepower: '100%',
  setpoint_cosphi: '1 over-excited',
  setpoint_reactivepower: '0% WMax',
} as const satisfies Record<SetpointKind, string>;

const scaled = (value: number, unit: 'W' | 'var'): Parts => {
  const [factor, prefix] =
    Math.abs(value) >= 1e6 ? [1e6, 'M'] : Math.abs(value) >= 1e3 ? [1e3, 'k'] : [1, ''];
  return { number: value / factor, unit: `${prefix}${unit}` };
};

/** Null for a text that is none. */
export function readSetpoint(kind: SetpointKind, value: string): Setpoint | null {
  try {
    return value === '' ? null : parseSetpoint(kind, value);
  } catch (error) {
    if (error instanceof SetpointFault) return null;
    throw error;
  }
}

/** Number and unit of a value that is kept; `end` for nothing. */
export function partsOf(kind: SetpointKind, value: string): Parts {
  const setpoint = readSetpoint(kind, value);
  if (!setpoint) return { number: null, unit: 'end' };
  if (setpoint.kind === 'setpoint_activepower')
    return setpoint.unit === '%' ? { number: setpoint.value, unit: '%' } : scaled(setpoint.value, 'W');
  if (setpoint.kind === 'setpoint_cosphi') return { number: setpoint.value, unit: setpoint.excitation };
  return setpoint.base === 'var'
    ? scaled(setpoint.value, 'var')
    : { number: setpoint.value, unit: `% ${setpoint.base}` };
}

/** The kept text of parts. Throws `SetpointFault` for what is no value of its kind. */
export function valueFrom(kind: SetpointKind, { number, unit }: Parts): string {
  if (unit === 'end') return '';
  return keptSetpoint(kind, `${number ?? ''}${unit.startsWith('%') ? unit : ` ${unit}`}`);
}

/** What is wrong with a value, in the user's language; null where nothing is. */
export function faultOf(kind: SetpointKind, parts: Parts): string | null {
  try {
    valueFrom(kind, parts);
    return null;
  } catch (error) {
    if (error instanceof SetpointFault) return faultText(error);
    throw error;
  }
}

export const faultText = ({ issue, message, facts }: SetpointFault): string =>
  knownFailureText(issue, message, facts);

/** A value for people: `60 %`, `25 kW`, `0.95 over-excited`, `20 % of WMax`; a dash for nothing. */
export function valueText(t: TFunction, kind: SetpointKind, value: string | null): string {
  if (value === null || value === '') return NO_VALUE;
  const { number, unit } = partsOf(kind, value);
  if (number === null) return value;
  if (kind === 'setpoint_cosphi') return `${formatFixed(number, 2)} ${t(`schedules.units.${unit}`)}`;
  return `${formatDecimal(number, 2)} ${t(`schedules.units.${unit}`)}`;
}

/** Less than everything: enabled, and under 100 %. A power in W is a limit whatever the rating is. */
export function isCurtailing(kind: SetpointKind, value: string): boolean {
  const setpoint = readSetpoint(kind, value);
  if (setpoint?.kind !== 'setpoint_activepower') return false;
  return setpoint.unit === 'W' || setpoint.value < 100;
}

/** The axis of a chart: what a value is on it, and a level as a value again. */
export interface Axis {
  least: number;
  most: number;
  /** What one press of an arrow moves, and a drag stops at. */
  step: number;
  ticks: { level: number; text: string }[];
  levelOf: (value: string) => number | null;
  valueAt: (level: number) => string;
}

/**
 * The axis that values of a kind share. Values in another unit than the first one have no level: what a kilowatt is in %
 * depends on the rating. Cos phi is drawn as its distance from 1, over-excited upwards.
 */
export function axisOf(t: TFunction, kind: SetpointKind, values: readonly string[]): Axis {
  if (kind === 'setpoint_cosphi') return cosPhiAxis(t);
  const read = values.flatMap((value) => readSetpoint(kind, value) ?? []);
  const [first] = read;
  const base = first ? baseOf(first) : kind === 'setpoint_activepower' ? '%' : '% WMax';
  const levels = read.filter((one) => baseOf(one) === base).map((one) => one.value);
  const isPower = kind === 'setpoint_activepower';
  const isPercent = base.startsWith('%');
  const largest = isPercent ? 100 : roundUp(Math.max(1, ...levels.map(Math.abs)));
  const least = isPower ? 0 : -largest;
  const step = isPercent ? 1 : largest / 100;
  const unit = isPercent ? base : scaled(largest, isPower ? 'W' : 'var').unit;
  const factor = isPercent ? 1 : largest / (scaled(largest, 'W').number ?? 1);
  return {
    least,
    most: largest,
    step,
    ticks: [0, 0.25, 0.5, 0.75, 1].map((part) => {
      const level = least + part * (largest - least);
      return { level, text: `${formatDecimal(level / factor, 2)} ${isPercent ? '%' : unit}` };
    }),
    levelOf: (value) => {
      const setpoint = readSetpoint(kind, value);
      return setpoint && baseOf(setpoint) === base ? setpoint.value : null;
    },
    valueAt: (level) => valueFrom(kind, { number: tidy(level / factor), unit }),
  };
}

function cosPhiAxis(t: TFunction): Axis {
  const text = (level: number) => {
    const word = level === 0 ? '' : ` ${t(`schedules.short.${level > 0 ? 'over' : 'under'}`)}`;
    return `${formatFixed(1 - Math.abs(level), 2)}${word}`;
  };
  return {
    ...{ least: -0.2, most: 0.2, step: 0.01 },
    ticks: [-0.2, -0.1, 0, 0.1, 0.2].map((level) => ({ level, text: text(level) })),
    levelOf: (value) => {
      const setpoint = readSetpoint('setpoint_cosphi', value);
      if (setpoint?.kind !== 'setpoint_cosphi') return null;
      return tidy((1 - setpoint.value) * (setpoint.excitation === 'over-excited' ? 1 : -1));
    },
    valueAt: (level) =>
      valueFrom('setpoint_cosphi', {
        number: tidy(1 - Math.abs(level)),
        unit: level < 0 ? 'under-excited' : 'over-excited',
      }),
  };
}

function baseOf(setpoint: Setpoint): string {
  if (setpoint.kind === 'setpoint_activepower') return setpoint.unit;
  if (setpoint.kind === 'setpoint_cosphi') return '';
  return setpoint.base === 'var' ? 'var' : `% ${setpoint.base}`;
}

const tidy = (number: number): number => Number(number.toFixed(6));

/** The next 1, 2, 2.5 or 5 times a power of ten. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 2.5, 5, 10].find((one) => one * power >= value) ?? 10) * power;
}
