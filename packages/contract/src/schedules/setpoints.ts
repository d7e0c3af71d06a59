/**
 * What a provider can ask for; the second part of the path of a setpoint. The cloud, the screens and the plugin that obeys
 * read values with this one piece of code. Source: specification 2, section 3; reactive power is ours.
 */
export const SETPOINT_KINDS = ['setpoint_activepower', 'setpoint_cosphi', 'setpoint_reactivepower'] as const;
export type SetpointKind = (typeof SETPOINT_KINDS)[number];

export type Excitation = 'over-excited' | 'under-excited';

export type Setpoint =
  | { kind: 'setpoint_activepower'; unit: '%' | 'W'; value: number }
  /** `value` is from 0.8 to 1. The word says the direction: what a sign means differs from maker to maker. */
  | { kind: 'setpoint_cosphi'; value: number; excitation: Excitation }
  /** Supplied (over-excited) is positive; % of a base, or var. */
  | { kind: 'setpoint_reactivepower'; base: 'WMax' | 'VArMax' | 'VArAval' | 'var'; value: number };

/** What is wrong with a value, by its name in the catalogue of issues. */
export class SetpointFault extends Error {
  readonly issue: 'issue.setpoint_unit' | 'issue.setpoint_range' | 'issue.setpoint_word';
  readonly facts: Readonly<Record<string, string>>;

  constructor(issue: SetpointFault['issue'], message: string, facts: Readonly<Record<string, string>>) {
    super(message);
    this.issue = issue;
    this.facts = facts;
  }
}

const FACTORS: Record<string, number> = { W: 1, kW: 1e3, MW: 1e6, var: 1, kvar: 1e3, Mvar: 1e6 };
const NUMBER = '([+-]?\\d{1,12}(?:\\.\\d{1,9})?)';
const WORDS: Record<SetpointKind, string> = {
  setpoint_activepower: 'active power',
  setpoint_cosphi: 'cos phi',
  setpoint_reactivepower: 'reactive power',
};
const EXAMPLES: Record<SetpointKind, string> = {
  setpoint_activepower: '60%, 500 W, 25 kW or 1.2 MW',
  setpoint_cosphi: '0.95 over-excited or 0.9 under-excited',
  setpoint_reactivepower: '20% WMax, -30% VArMax, 50% VArAval or 5 kvar',
};

/**
 * Reads a value as people and files have it, such as `60%`, `1.2 MW`, `0.95 over-excited`. Throws `SetpointFault` for
 * what is none, is out of its range, or does not say over- or under-excited.
 */
export function parseSetpoint(kind: SetpointKind, text: string): Setpoint {
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

/**
 * A value as a caller may give it, in the words that are kept: a bare number of active power is %, and the sign of a bare
 * cos phi is that of the reactive power that is supplied, so that -0.9 is kept as `0.9 under-excited`. An empty text ends what
 * holds and stays empty. Throws `SetpointFault`.
 */
export function keptSetpoint(kind: SetpointKind, given: string | number): string {
  const text = String(given).trim();
  if (text === '') return '';
  const isBare = /^[+-]?\d{1,12}(?:\.\d{1,9})?$/.test(text);
  if (isBare && kind === 'setpoint_activepower') return setpointText(parseSetpoint(kind, `${text}%`));
  if (isBare && kind === 'setpoint_cosphi') {
    const word = Number(text) < 0 ? 'under-excited' : 'over-excited';
    return setpointText(parseSetpoint(kind, `${text} ${word}`));
  }
  return setpointText(parseSetpoint(kind, text));
}

const unitFault = (kind: SetpointKind, text: string) =>
  new SetpointFault('issue.setpoint_unit', `"${text}" is no ${WORDS[kind]} such as ${EXAMPLES[kind]}`, {
    value: text,
    examples: EXAMPLES[kind],
  });

const rangeFault = (text: string, range: string) =>
  new SetpointFault('issue.setpoint_range', `"${text}" is outside ${range}`, { value: text, range });

function activePower(text: string): Setpoint {
  const match = new RegExp(`^${NUMBER}\\s*(%|W|kW|MW)$`).exec(text);
  if (!match) throw unitFault('setpoint_activepower', text);
  const value = Number(match[1]);
  const unit = match[2] ?? '%';
  if (value < 0 || (unit === '%' && value > 100))
    throw rangeFault(text, unit === '%' ? '0 to 100 %' : 'what can be, from 0 on');
  const factor = FACTORS[unit];
  return factor === undefined
    ? { kind: 'setpoint_activepower', unit: '%', value }
    : { kind: 'setpoint_activepower', unit: 'W', value: value * factor };
}

function cosPhi(text: string): Setpoint {
  const match = new RegExp(`^${NUMBER}(?:\\s+(over-excited|under-excited))?$`).exec(text);
  if (!match) throw unitFault('setpoint_cosphi', text);
  const value = Math.abs(Number(match[1]));
  if (value < 0.8 || value > 1) throw rangeFault(text, '-1 to -0.8 and 0.8 to 1');
  const word = match[2] as Excitation | undefined;
  if (!word && value !== 1)
    throw new SetpointFault('issue.setpoint_word', `"${text}" does not say over-excited or under-excited`, {
      value: text,
    });
  return { kind: 'setpoint_cosphi', value, excitation: word ?? 'over-excited' };
}

function reactivePower(text: string): Setpoint {
  const match = new RegExp(`^${NUMBER}\\s*(?:%\\s*(WMax|VArMax|VArAval)|(var|kvar|Mvar))$`).exec(text);
  if (!match) throw unitFault('setpoint_reactivepower', text);
  const value = Number(match[1]);
  const base = match[2] as 'WMax' | 'VArMax' | 'VArAval' | undefined;
  if (base && Math.abs(value) > 100) throw rangeFault(text, '-100 to 100 %');
  if (base) return { kind: 'setpoint_reactivepower', base, value };
  return { kind: 'setpoint_reactivepower', base: 'var', value: value * (FACTORS[match[3] ?? 'var'] ?? 1) };
}
