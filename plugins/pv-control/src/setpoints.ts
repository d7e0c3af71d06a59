/** What a provider can ask for; the second part of the path of a setpoint. */
export const KINDS = ['setpoint_activepower', 'setpoint_cosphi', 'setpoint_reactivepower'] as const;
export type Kind = (typeof KINDS)[number];

export type Excitation = 'over-excited' | 'under-excited';

export type Setpoint =
  | { kind: 'setpoint_activepower'; unit: '%' | 'W'; value: number }
  /** `value` is from 0.8 to 1. The word says the direction: what a sign means differs from maker to maker. */
  | { kind: 'setpoint_cosphi'; value: number; excitation: Excitation }
  /** Supplied (over-excited) is positive; % of a base, or var. */
  | { kind: 'setpoint_reactivepower'; base: 'WMax' | 'VArMax' | 'VArAval' | 'var'; value: number };

const FACTORS: Record<string, number> = { W: 1, kW: 1e3, MW: 1e6, var: 1, kvar: 1e3, Mvar: 1e6 };
const NUMBER = '([+-]?\\d+(?:\\.\\d+)?)';

/** Reads a value as people and files have it, such as `60%`, `1.2 MW`, `0.95 over-excited`. Throws what is wrong with it. */
export function parseSetpoint(kind: Kind, text: string): Setpoint {
  const trimmed = text.trim();
  if (kind === 'setpoint_activepower') return activePower(trimmed);
  return kind === 'setpoint_cosphi' ? cosPhi(trimmed) : reactivePower(trimmed);
}

/** The same as a text that `parseSetpoint` reads. */
export function setpointText(setpoint: Setpoint): string {
  if (setpoint.kind === 'setpoint_activepower')
    return setpoint.unit === '%' ? `${setpoint.value}%` : `${setpoint.value} W`;
  if (setpoint.kind === 'setpoint_cosphi') return `${setpoint.value} ${setpoint.excitation}`;
  return setpoint.base === 'var' ? `${setpoint.value} var` : `${setpoint.value}% ${setpoint.base}`;
}

function activePower(text: string): Setpoint {
  const match = new RegExp(`^${NUMBER}\\s*(%|W|kW|MW)$`).exec(text);
  if (!match) throw new Error(`"${text}" is no active power such as 60%, 500 W, 25 kW or 1.2 MW`);
  const value = Number(match[1]);
  const unit = match[2] ?? '%';
  if (value < 0 || (unit === '%' && value > 100))
    throw new Error(`"${text}" is outside ${unit === '%' ? '0 to 100 %' : 'what can be, from 0 on'}`);
  const factor = FACTORS[unit];
  return factor === undefined
    ? { kind: 'setpoint_activepower', unit: '%', value }
    : { kind: 'setpoint_activepower', unit: 'W', value: value * factor };
}

function cosPhi(text: string): Setpoint {
  const match = new RegExp(`^${NUMBER}(?:\\s+(over-excited|under-excited))?$`).exec(text);
  if (!match) throw new Error(`"${text}" is no cos phi such as 0.95 over-excited or 0.9 under-excited`);
  const value = Math.abs(Number(match[1]));
  if (value < 0.8 || value > 1) throw new Error(`"${text}" is outside -1 to -0.8 and 0.8 to 1`);
  const word = match[2] as Excitation | undefined;
  if (!word && value !== 1) throw new Error(`"${text}" does not say over-excited or under-excited`);
  return { kind: 'setpoint_cosphi', value, excitation: word ?? 'over-excited' };
}

function reactivePower(text: string): Setpoint {
  const match = new RegExp(`^${NUMBER}\\s*(?:%\\s*(WMax|VArMax|VArAval)|(var|kvar|Mvar))$`).exec(text);
  if (!match) throw new Error(`"${text}" is no reactive power such as 20% WMax, -30% VArMax or 5 kvar`);
  const value = Number(match[1]);
  const base = match[2] as 'WMax' | 'VArMax' | 'VArAval' | undefined;
  if (base && Math.abs(value) > 100) throw new Error(`"${text}" is outside -100 to 100 %`);
  if (base) return { kind: 'setpoint_reactivepower', base, value };
  return { kind: 'setpoint_reactivepower', base: 'var', value: value * (FACTORS[match[3] ?? 'var'] ?? 1) };
}
