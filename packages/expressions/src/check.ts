import { ExpressionFault, type Fault, type Place } from './faults.ts';
import { type Operation, parseExpression, type Written } from './parse.ts';
import {
  divideUnits,
  isPlain,
  knownUnit,
  multiplyUnits,
  ONE,
  parseUnit,
  raiseUnit,
  sameDimension,
  tidy,
  type Unit,
  unitLabel,
} from './units.ts';

/**
 * What is left to do once units agree: numbers, names, and operations that know nothing of units. Conversions are
 * multiplications. Truths are 1 and 0.
 */
export type Step =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'call'; readonly operation: Operation; readonly args: readonly Step[] };

/** An expression whose names are inputs and whose units agree; it can be evaluated and written as SQL. */
export interface Expression {
  readonly steps: Step;
  /** The unit of the result, as it is written; empty for a plain number or a truth. */
  readonly unit: string;
  readonly isTruth: boolean;
  /** The inputs that it uses. */
  readonly names: ReadonlySet<string>;
}

export type Checked = { expression: Expression; fault?: never } | { expression?: never; fault: Fault };

export interface Wanted {
  /** The unit to give the result in; without it the one that the inputs lead to. */
  unit?: string | null | undefined;
}

/**
 * Checks an expression. `inputs` maps each name to its unit as its field declares it; null is a plain number. A name
 * with spaces is written in quotation marks.
 */
export function checkExpression(
  text: string,
  inputs: ReadonlyMap<string, string | null>,
  wanted: Wanted = {},
): Checked {
  try {
    const names = new Set<string>();
    const units = new Map([...inputs].map(([name, unit]) => [name, parseUnit(unit)]));
    const value = checked(parseExpression(text), { units, names });
    const { steps, unit } = wanted.unit ? inUnit(value, wanted.unit, text) : value;
    return { expression: { steps, unit: unitLabel(unit), isTruth: value.isTruth, names } };
  } catch (error) {
    if (error instanceof ExpressionFault) return { fault: error.fault };
    throw error;
  }
}

interface Value {
  steps: Step;
  unit: Unit;
  isTruth: boolean;
  place: Place;
}

interface Scope {
  units: ReadonlyMap<string, Unit>;
  names: Set<string>;
}

const call = (operation: Operation, ...args: Step[]): Step => ({ kind: 'call', operation, args });
const number = (value: number): Step => ({ kind: 'number', value });

function checked(part: Written, scope: Scope): Value {
  const place = { at: part.at, end: part.end };
  if (part.kind === 'number') return { steps: number(part.value), unit: ONE, isTruth: false, place };
  if (part.kind === 'call') return operationOf(part.operation, part.args, place, scope);
  const unit = part.kind === 'name' ? scope.units.get(part.name) : undefined;
  if (unit !== undefined) {
    scope.names.add(part.name);
    return { steps: { kind: 'name', name: part.name }, unit, isTruth: false, place };
  }
  const known = knownUnit(part.name);
  if (known === undefined)
    throw new ExpressionFault(part.kind === 'unit' ? 'unknown_unit' : 'unknown_name', place, {
      name: part.name,
    });
  return { steps: number(1), unit: known, isTruth: false, place };
}

const ARGUMENTS: Partial<Record<Operation, [number, number]>> = {
  if: [3, 3],
  min: [1, 100],
  max: [1, 100],
  sum: [1, 100],
  avg: [1, 100],
  coalesce: [1, 100],
  abs: [1, 1],
  sqrt: [1, 1],
  round: [1, 2],
};

function operationOf(operation: Operation, written: Written[], place: Place, scope: Scope): Value {
  const [least, most] = ARGUMENTS[operation] ?? [0, 2];
  if (written.length < least || written.length > most)
    throw new ExpressionFault('arguments', place, { name: operation, given: written.length });
  const args = written.map((arg) => checked(arg, scope));
  const [first, second] = args as [Value, Value];
  const done = (steps: Step, unit: Unit, isTruth = false): Value => ({ steps, unit, isTruth, place });

  switch (operation) {
    case 'and':
    case 'or':
    case 'not':
      for (const arg of args) if (!arg.isTruth) throw new ExpressionFault('truth_expected', arg.place);
      return done(call(operation, ...args.map(({ steps }) => steps)), ONE, true);
    case 'if': {
      if (!first.isTruth) throw new ExpressionFault('truth_expected', first.place);
      const { steps, unit } = alike(args.slice(1), place);
      return done(call('if', first.steps, ...steps), unit);
    }
    case 'multiply':
    case 'divide': {
      const [left, right] = numbers(args).map(withoutPercent) as [Value, Value];
      const unit = (operation === 'multiply' ? multiplyUnits : divideUnits)(left.unit, right.unit);
      return withoutPercent(done(folded(operation, left.steps, right.steps), unit));
    }
    case 'power':
      return done(...powerOf(first, second));
    case 'sqrt': {
      const [base] = numbers([first]).map(withoutPercent) as [Value];
      return withoutPercent(done(call('sqrt', base.steps), raiseUnit(base.unit, 0.5)));
    }
    case 'round':
      return done(call('round', ...numbers([first]).map(({ steps }) => steps), digitsOf(second)), first.unit);
    case 'plus':
      return { ...(numbers([first])[0] as Value), place };
    case 'equal':
    case 'unequal':
    case 'less':
    case 'at_most':
    case 'greater':
    case 'at_least':
      return done(call(operation, ...alike(args, place).steps), ONE, true);
    default: {
      const { steps, unit } = alike(args, place);
      return done(call(operation, ...steps), unit);
    }
  }
}

function numbers(args: Value[]): Value[] {
  for (const arg of args) if (arg.isTruth) throw new ExpressionFault('number_expected', arg.place);
  return args;
}

/** Converts everything to the unit of the first that has one. A zero goes with every unit. */
function alike(args: Value[], place: Place): { steps: Step[]; unit: Unit } {
  numbers(args);
  const unit = (args.find((arg) => !isZero(arg)) ?? (args[0] as Value)).unit;
  const steps = args.map((arg) => {
    if (isZero(arg)) return arg.steps;
    if (!sameDimension(arg.unit, unit))
      throw new ExpressionFault('units_differ', place, { left: shown(unit), right: shown(arg.unit) });
    return scaled(arg.steps, arg.unit.factor / unit.factor);
  });
  return { steps, unit };
}

const isZero = ({ steps, unit }: Value) =>
  steps.kind === 'number' && steps.value === 0 && unit.terms.size === 0;
const shown = (unit: Unit) => unitLabel(unit) || 'a plain number';

function scaled(steps: Step, factor: number): Step {
  const exact = tidy(factor);
  return exact === 1 ? steps : folded('multiply', steps, number(exact));
}

function folded(operation: 'multiply' | 'divide', left: Step, right: Step): Step {
  if (operation === 'multiply' && left.kind === 'number' && right.kind === 'number') {
    const product = left.value * right.value;
    if (Number.isFinite(product)) return number(product);
  }
  return call(operation, left, right);
}

/** A share in % becomes a plain number where it is multiplied, so that 50 % of 8 kW is 4 kW. */
function withoutPercent(value: Value): Value {
  if (!isPlain(value.unit)) return value;
  return { ...value, steps: scaled(value.steps, value.unit.factor), unit: ONE };
}

function powerOf(base: Value, exponent: Value): [Step, Unit] {
  const [left, right] = numbers([base, exponent]).map(withoutPercent) as [Value, Value];
  if (!isPlain(right.unit))
    throw new ExpressionFault('unit_left', right.place, { unit: unitLabel(right.unit) });
  const steps = call('power', left.steps, right.steps);
  if (isPlain(left.unit)) return [steps, ONE];
  const power = literal(right.steps);
  if (power === undefined || !Number.isInteger(power) || Math.abs(power) > 9)
    throw new ExpressionFault('exponent', right.place);
  return [steps, raiseUnit(left.unit, power)];
}

function literal(steps: Step): number | undefined {
  if (steps.kind === 'number') return steps.value;
  if (steps.kind !== 'call' || steps.operation !== 'negate') return undefined;
  const value = literal(steps.args[0] as Step);
  return value === undefined ? undefined : -value;
}

function digitsOf(value: Value | undefined): Step {
  if (value === undefined) return number(0);
  const digits = literal(value.steps);
  if (digits === undefined || !Number.isInteger(digits) || digits < 0 || digits > 10 || !isPlain(value.unit))
    throw new ExpressionFault('digits', value.place);
  return number(digits);
}

function inUnit(value: Value, written: string, text: string): { steps: Step; unit: Unit } {
  const unit = parseUnit(written);
  if (value.isTruth || !(sameDimension(value.unit, unit) || isZero(value)))
    throw new ExpressionFault(
      'result_unit',
      { at: 0, end: text.length },
      { left: value.isTruth ? 'yes or no' : shown(value.unit), right: written },
    );
  return { steps: isZero(value) ? value.steps : scaled(value.steps, value.unit.factor / unit.factor), unit };
}
