import type { Expression, Step } from './check.ts';
import type { Operation } from './parse.ts';

/**
 * The expression in the store's SQL (ClickHouse): a `Nullable(Float64)` with the value that `evaluate` gives, row by row.
 *
 * `columns` maps each name to an SQL expression of its caller's making. Nothing that a person wrote reaches the text:
 * it consists of these snippets, numbers, and the functions below. Throws where a column is missing.
 */
export function toSql({ steps }: Expression, columns: ReadonlyMap<string, string>): string {
  return sqlOf(steps, columns);
}

function sqlOf(step: Step, columns: ReadonlyMap<string, string>): string {
  if (step.kind === 'number') return literal(step.value);
  if (step.kind === 'name') {
    const column = columns.get(step.name);
    if (column === undefined) throw new TypeError('an input of the expression has no column');
    return finite(`toFloat64(${column})`);
  }
  return WRITTEN[step.operation](step.args.map((arg) => sqlOf(arg, columns)));
}

/** Numbers are written as such, so that 1 / 2 and 10 ^ 19 are no arithmetic of integers. */
function literal(value: number): string {
  const text = String(value);
  const number = /^-?\d+$/.test(text) ? `${text}.0` : text;
  return value < 0 || Object.is(value, -0) ? `(${number})` : number;
}

const finite = (sql: string) => `ifNotFinite(${sql}, NULL)`;
const infix = (operator: string) => (args: string[]) => `(${args.join(` ${operator} `)})`;
const finiteInfix = (operator: string) => (args: string[]) => finite(args.join(` ${operator} `));
const nested = (name: string) => (args: string[]) =>
  args.reduce((left, right) => `${name}(${left}, ${right})`);

/** `max2` and `min2` are null when an argument is; `greatest` and `least` are not. So is a CASE of null, unlike `if`. */
const WRITTEN: Record<Operation, (args: string[]) => string> = {
  add: finiteInfix('+'),
  subtract: finiteInfix('-'),
  multiply: finiteInfix('*'),
  divide: finiteInfix('/'),
  power: ([base, exponent]) => finite(`pow(${base}, ${exponent})`),
  negate: ([value]) => `(-${value})`,
  plus: ([value]) => `${value}`,
  equal: infix('='),
  unequal: infix('!='),
  less: infix('<'),
  at_most: infix('<='),
  greater: infix('>'),
  at_least: infix('>='),
  and: infix('AND'),
  or: infix('OR'),
  not: ([value]) => `(NOT ${value})`,
  if: ([condition, yes, no]) => `(CASE ${condition} WHEN 1 THEN ${yes} WHEN 0 THEN ${no} ELSE NULL END)`,
  min: nested('min2'),
  max: nested('max2'),
  abs: ([value]) => `abs(${value})`,
  sqrt: ([value]) => finite(`sqrt(${value})`),
  round: ([value, digits]) => finite(`floor(${value} * pow(10., ${digits}) + 0.5) / pow(10., ${digits})`),
  sum: finiteInfix('+'),
  avg: (args) => finite(`(${args.join(' + ')}) / ${args.length}.0`),
  coalesce: (args) => `coalesce(${args.join(', ')})`,
};
