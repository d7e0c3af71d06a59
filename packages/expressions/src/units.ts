/**
 * Units as products of powers of base units, so that kWh and kW differ and kW · h is kWh.
 *
 * Names that are not in the table (rpm, EUR, pieces) count as base units of their own: they go together with
 * themselves and with nothing else. Temperatures are not shifted: °C and K are steps of the same size, and other
 * scales are on their own.
 */
export interface Unit {
  /** A value times this is in base units. */
  readonly factor: number;
  /** Exponents by base unit; those of zero are left out. */
  readonly dimension: ReadonlyMap<string, number>;
  /** Exponents by the names that were written, for the label. */
  readonly terms: ReadonlyMap<string, number>;
}

type Powers = Readonly<Record<string, number>>;

const MASS_LENGTH: Powers = { kg: 1, m: 2 };
const POWER: Powers = { ...MASS_LENGTH, s: -3 };
const ENERGY: Powers = { ...MASS_LENGTH, s: -2 };
const PRESSURE: Powers = { kg: 1, m: -1, s: -2 };

/** Units that take the prefixes below: factor and dimension. */
const PREFIXED: Readonly<Record<string, [number, Powers]>> = {
  W: [1, POWER],
  Wp: [1, POWER],
  VA: [1, POWER],
  var: [1, POWER],
  Wh: [3600, ENERGY],
  VAh: [3600, ENERGY],
  varh: [3600, ENERGY],
  J: [1, ENERGY],
  V: [1, { ...POWER, A: -1 }],
  A: [1, { A: 1 }],
  Ah: [3600, { A: 1, s: 1 }],
  Ω: [1, { ...POWER, A: -2 }],
  Hz: [1, { s: -1 }],
  Pa: [1, PRESSURE],
  bar: [1e5, PRESSURE],
  m: [1, { m: 1 }],
  g: [1e-3, { kg: 1 }],
  N: [1, { kg: 1, m: 1, s: -2 }],
  l: [1e-3, { m: 3 }],
  B: [1, { B: 1 }],
};
const PREFIXES: Readonly<Record<string, number>> = {
  '': 1,
  µ: 1e-6,
  m: 1e-3,
  c: 1e-2,
  h: 1e2,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
};
const PLAIN: Readonly<Record<string, [number, Powers]>> = {
  '1': [1, {}],
  '%': [0.01, {}],
  '‰': [0.001, {}],
  ms: [1e-3, { s: 1 }],
  s: [1, { s: 1 }],
  min: [60, { s: 1 }],
  h: [3600, { s: 1 }],
  d: [86_400, { s: 1 }],
  K: [1, { K: 1 }],
  '°C': [1, { K: 1 }],
  '°': [1, { '°': 1 }],
  t: [1e3, { kg: 1 }],
};
const SPELLINGS: Readonly<Record<string, string>> = {
  C: '°C',
  degC: '°C',
  celsius: '°C',
  percent: '%',
  pct: '%',
  ohm: 'Ω',
  Ohm: 'Ω',
  VAR: 'var',
  VAr: 'var',
  kVAr: 'kvar',
  VARh: 'varh',
  deg: '°',
  sec: 's',
  hour: 'h',
  day: 'd',
};

const KNOWN = knownUnits();

function knownUnits(): ReadonlyMap<string, Unit> {
  const known = new Map<string, Unit>();
  const add = (name: string, factor: number, powers: Powers) => {
    const dimension = new Map(Object.entries(powers));
    if (!known.has(name))
      known.set(name, { factor, dimension, terms: name === '1' ? new Map() : new Map([[name, 1]]) });
  };
  for (const [name, [factor, powers]] of Object.entries(PLAIN)) add(name, factor, powers);
  for (const [name, [factor, powers]] of Object.entries(PREFIXED)) add(name, factor, powers);
  for (const [name, [factor, powers]] of Object.entries(PREFIXED))
    for (const [prefix, scale] of Object.entries(PREFIXES)) add(prefix + name, tidy(factor * scale), powers);
  return known;
}

/** A plain number. */
export const ONE: Unit = { factor: 1, dimension: new Map(), terms: new Map() };

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';
const TERM = /^([^\d\s·*/^⁻⁰¹²³⁴-⁹()]+|1(?=\s*[·*/]))\s*(?:\^?(-?\d)|(⁻?[⁰¹²³⁴-⁹]))?$/u;

/** Reads a unit as it stands beside a field: `kWh`, `W/m²`, `W/m^2`, `1/K`. Empty or null is a plain number. */
export function parseUnit(written: string | null | undefined): Unit {
  const text = written?.trim().replaceAll('\u03bc', 'µ').replaceAll('\u2126', 'Ω') ?? '';
  if (text === '') return ONE;
  const parts = text.split(/\s*([·*/])\s*/u);
  let unit = ONE;
  for (let i = 0; i < parts.length; i += 2) {
    const term = parts[i] === '1' ? ONE : termUnit(parts[i] ?? '');
    if (term === undefined) return opaque(text);
    unit = parts[i - 1] === '/' ? divideUnits(unit, term) : multiplyUnits(unit, term);
  }
  return unit;
}

function termUnit(text: string): Unit | undefined {
  const [, name, digits, raised] = TERM.exec(text) ?? [];
  if (name === undefined) return undefined;
  const exponent = raised
    ? Number([...raised].map((sign) => (sign === '⁻' ? '-' : SUPERSCRIPTS.indexOf(sign))).join(''))
    : Number(digits ?? 1);
  const known = KNOWN.get(SPELLINGS[name] ?? name) ?? opaque(name);
  return raiseUnit(known, exponent);
}

/** The unit of a name in an expression, such as `kW` or `m²`; undefined where one of its parts is not in the table. */
export function knownUnit(name: string): Unit | undefined {
  const unit = parseUnit(name);
  return [...unit.terms.keys()].every((term) => KNOWN.has(term)) ? unit : undefined;
}

const opaque = (name: string): Unit => ({
  factor: 1,
  dimension: new Map([[`"${name}"`, 1]]),
  terms: new Map([[name, 1]]),
});

export const multiplyUnits = (left: Unit, right: Unit): Unit => combine(left, right, 1);
export const divideUnits = (left: Unit, right: Unit): Unit => combine(left, right, -1);

/** `exponent` may be a fraction, as for a square root. */
export const raiseUnit = (unit: Unit, exponent: number): Unit => ({
  factor: tidy(unit.factor ** exponent),
  dimension: addPowers(new Map(), unit.dimension, exponent),
  terms: addPowers(new Map(), unit.terms, exponent),
});

function combine(left: Unit, right: Unit, sign: 1 | -1): Unit {
  return {
    factor: tidy(left.factor * right.factor ** sign),
    dimension: addPowers(left.dimension, right.dimension, sign),
    terms: addPowers(left.terms, right.terms, sign),
  };
}

function addPowers(left: ReadonlyMap<string, number>, right: ReadonlyMap<string, number>, times: number) {
  const sum = new Map(left);
  for (const [name, power] of right) {
    const exponent = (sum.get(name) ?? 0) + power * times;
    if (exponent === 0) sum.delete(name);
    else sum.set(name, exponent);
  }
  return sum;
}

export const isPlain = (unit: Unit): boolean => unit.dimension.size === 0;

export const sameDimension = (left: Unit, right: Unit): boolean =>
  left.dimension.size === right.dimension.size &&
  [...left.dimension].every(([name, power]) => right.dimension.get(name) === power);

/** How the unit is written for people: `kWh`, `kWh/m²`; empty for a plain number. */
export function unitLabel(unit: Unit): string {
  if (isPlain(unit) && unit.factor === 1) return '';
  if (unit.terms.size > 1)
    for (const [name, known] of KNOWN)
      if (known.factor === unit.factor && sameDimension(known, unit)) return name;
  const written = (wanted: 1 | -1) =>
    [...unit.terms].flatMap(([name, power]) =>
      power * wanted > 0 ? [name + (power * wanted === 1 ? '' : raised(power * wanted))] : [],
    );
  const [above, below] = [written(1), written(-1)];
  return [above.join('·') || '1', ...below].join('/');
}

const raised = (power: number) =>
  Number.isInteger(power)
    ? [...String(power)].map((digit) => SUPERSCRIPTS[Number(digit)]).join('')
    : `^${power}`;

/** Takes the dust of binary fractions off a factor, so that kW times h is exactly kWh, and leaves 1/60 alone. */
export function tidy(factor: number): number {
  const round = Number(factor.toPrecision(14));
  return Math.abs(round - factor) <= Math.abs(factor) * 1e-15 ? round : factor;
}
