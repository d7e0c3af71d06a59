import type { Windows } from '../telemetry/telemetry.service.ts';
import { aggregate } from './promql.aggregate.ts';
import { binary } from './promql.binary.ts';
import { PromqlFault } from './promql.fault.ts';
import { callFunction } from './promql.functions.ts';
import type { Expr, Matcher } from './promql.parse.ts';
import { keyOf, type Line, linesOf, nameless, numbersOf, type Value } from './promql.values.ts';
import { KEEPS_NAME, type OfWindow, RANGE_FUNCTIONS, stepsIn } from './promql.windows.ts';

/** The lines that matchers name, with one value for each window. */
export type Measured = (matchers: readonly Matcher[], windows: Windows, of: OfWindow) => Promise<Line[]>;

export interface Evaluation {
  /** Steps, epoch ms. */
  start: number;
  end: number;
  stepMs: number;
  /** A value stands for so long, ms. */
  lookbackMs: number;
  measured: Measured;
}

/** Evaluates a query at every step. Throws `PromqlFault`. */
export function evaluate(expr: Expr, of: Evaluation): Promise<Value> {
  const windows = { ...of, rangeMs: 0 };
  const times = Array.from({ length: stepsIn(windows) }, (_one, i) => of.start + i * of.stepMs);
  return new Evaluator(of, times).value(expr);
}

class Evaluator {
  readonly #of: Evaluation;
  readonly #times: readonly number[];

  constructor(of: Evaluation, times: readonly number[]) {
    this.#of = of;
    this.#times = times;
  }

  async value(expr: Expr): Promise<Value> {
    switch (expr.kind) {
      case 'number':
        return { kind: 'scalar', values: this.#times.map(() => expr.value) };
      case 'string':
        return { kind: 'string', text: expr.value };
      case 'negate':
        return this.#negated(await this.value(expr.of));
      case 'selector':
        if (expr.rangeMs !== null)
          throw new PromqlFault('parse error: a range needs a function such as rate()');
        return { kind: 'vector', lines: await this.#read(expr, this.#of.lookbackMs, ({ last }) => last) };
      case 'call':
        return this.#call(expr.name, expr.args);
      case 'aggregate': {
        const parameter = expr.parameter && numbersOf(await this.value(expr.parameter), expr.name);
        const lines = linesOf(await this.value(expr.of), expr.name);
        return { kind: 'vector', lines: aggregate(expr.name, lines, { ...expr, parameter }) };
      }
      case 'binary':
        return unique(binary(expr, await this.value(expr.left), await this.value(expr.right)));
    }
  }

  async #call(name: string, args: Expr[]): Promise<Value> {
    const [first] = args;
    if (name === 'timestamp' && first?.kind === 'selector' && first.rangeMs === null)
      return { kind: 'vector', lines: await this.#times1000(first) };
    const over = Object.hasOwn(RANGE_FUNCTIONS, name) ? RANGE_FUNCTIONS[name] : undefined;
    if (over) {
      if (args.length !== 1 || first?.kind !== 'selector' || first.rangeMs === null)
        throw new PromqlFault(`parse error: expected type range vector in call to function "${name}"`);
      const lines = await this.#read(first, first.rangeMs, over);
      return KEEPS_NAME.has(name)
        ? { kind: 'vector', lines }
        : unique({
            kind: 'vector',
            lines: lines.map((line) => ({ ...line, labels: nameless(line.labels) })),
          });
    }
    const values: Value[] = [];
    for (const one of args) values.push(await this.value(one));
    return unique(callFunction(name, values, this.#times));
  }

  async #times1000(selector: Expr & { kind: 'selector' }): Promise<Line[]> {
    const lines = await this.#read(selector, this.#of.lookbackMs, ({ lastAt }) => lastAt / 1000);
    return lines.map((line) => ({ ...line, labels: nameless(line.labels) }));
  }

  async #read(selector: Expr & { kind: 'selector' }, rangeMs: number, of: OfWindow): Promise<Line[]> {
    const { start, end, stepMs, measured } = this.#of;
    const { matchers, offsetMs } = selector;
    const lines = await measured(
      matchers,
      { start: start - offsetMs, end: end - offsetMs, stepMs, rangeMs },
      of,
    );
    return lines.filter(({ values }) => values.some((one) => one !== undefined));
  }

  #negated(value: Value): Value {
    if (value.kind === 'scalar') return { kind: 'scalar', values: value.values.map((one) => -one) };
    const lines = linesOf(value, 'unary expression').map(({ labels, values }) => ({
      labels: nameless(labels),
      values: values.map((one) => (one === undefined ? undefined : -one)),
    }));
    return unique({ kind: 'vector', lines });
  }
}

/** Lines that became equal when their names went are not told apart any more. */
function unique(value: Value): Value {
  if (value.kind !== 'vector') return value;
  if (new Set(value.lines.map(({ labels }) => keyOf(labels))).size < value.lines.length)
    throw new PromqlFault('vector cannot contain metrics with the same labelset', 'execution');
  return value;
}
