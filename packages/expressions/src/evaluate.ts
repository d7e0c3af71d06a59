import type { Expression, Step } from './check.ts';
import type { Operation } from './parse.ts';

type Missing = number | null | undefined;

/**
 * The value of an expression for one set of inputs, in the units that their fields declare.
 *
 * Gaps: an input that is missing or no finite number makes the result null wherever it takes part, except in
 * `coalesce`, and where `and` and `or` are decided without it. A division by zero, the root of a negative number and
 * what grows beyond all numbers are null as well. It never throws.
 */
export function evaluate({ steps }: Expression, values: ReadonlyMap<string, Missing>): number | null {
  return computed(steps, values);
}

function computed(step: Step, values: ReadonlyMap<string, Missing>): number | null {
  if (step.kind === 'number') return step.value;
  if (step.kind === 'name') return finite(values.get(step.name));
  const args = step.args.map((arg) => computed(arg, values));
  return applied(step.operation, args);
}

function applied(operation: Operation, args: readonly (number | null)[]): number | null {
  if (operation === 'coalesce') return args.find((arg) => arg !== null) ?? null;
  if (operation === 'and') return args.includes(0) ? 0 : args.includes(null) ? null : 1;
  if (operation === 'or') return args.includes(1) ? 1 : args.includes(null) ? null : 0;
  if (operation === 'if') return (args[0] === null ? null : args[0] === 1 ? args[1] : args[2]) ?? null;
  return args.includes(null) ? null : finite(ARITHMETIC[operation](...(args as [number, number])));
}

const sum = (...all: number[]) => all.reduce((total, value) => total + value);

const ARITHMETIC: Record<
  Exclude<Operation, 'coalesce' | 'and' | 'or' | 'if'>,
  (a: number, b: number, ...rest: number[]) => number
> = {
  add: (a, b) => a + b,
  subtract: (a, b) => a - b,
  multiply: (a, b) => a * b,
  divide: (a, b) => a / b,
  power: (a, b) => a ** b,
  negate: (a) => -a,
  plus: (a) => a,
  equal: (a, b) => Number(a === b),
  unequal: (a, b) => Number(a !== b),
  less: (a, b) => Number(a < b),
  at_most: (a, b) => Number(a <= b),
  greater: (a, b) => Number(a > b),
  at_least: (a, b) => Number(a >= b),
  not: (a) => Number(a !== 1),
  min: Math.min,
  max: Math.max,
  abs: (a) => Math.abs(a),
  sqrt: (a) => Math.sqrt(a),
  round: (a, digits) => Math.floor(a * 10 ** digits + 0.5) / 10 ** digits,
  sum,
  avg: (...all) => sum(...all) / all.length,
};

const finite = (value: Missing) =>
  value !== null && value !== undefined && Number.isFinite(value) ? value : null;
