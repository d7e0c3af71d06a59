import type { Windows } from '../telemetry/telemetry.service.ts';
import { aggregate } from './promql.aggregate.ts';
import { binary } from './promql.binary.ts';
import { PromqlFault } from './promql.fault.ts';
import { callFunction } from './promql.functions.ts';
import type { Expr, Matcher, Selector, Subquery } from './promql.parse.ts';
import { keyOf, type Line, linesOf, nameless, numbersOf, type Value } from './promql.values.ts';
import {
  demandWork,
  KEEPS_NAME,
  overPoints,
  quantileOverTime,
  RANGE_FUNCTIONS,
  type RangeFunction,
  stepsIn,
} from './promql.windows.ts';

/** The lines that matchers name, with one value for each window. */
export type Measured = (matchers: readonly Matcher[], windows: Windows, of: RangeFunction) => Promise<Line[]>;

export interface Evaluation {
  /** Steps, epoch ms. */
  start: number;
  end: number;
  stepMs: number;
  /** A value stands for so long, ms. */
  lookbackMs: number;
  measured: Measured;
  /** The ends of the whole query, where this is a part of it. */
  whole?: { start: number; end: number };
}

const QUANTILE = 'quantile_over_time';
/** Steps of a subquery that says none, ms. Source: Prometheus, global evaluation_interval. */
const SUBQUERY_STEP_MS = 60_000;
/** Steps that one subquery may be evaluated at. */
const SUBQUERY_STEPS = 50_000;

/** Evaluates a query at every step. Throws `PromqlFault`. */
export function evaluate(expr: Expr, of: Evaluation): Promise<Value> {
  const windows = { ...of, rangeMs: 0 };
  const times = Array.from({ length: stepsIn(windows) }, (_one, i) => of.start + i * of.stepMs);
  return new Evaluator(of, times).value(expr);
}

const LAST: RangeFunction = { of: ({ last }) => last };
const LAST_AT: RangeFunction = { of: ({ lastAt }) => lastAt / 1000 };

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
        return { kind: 'vector', lines: await this.#read(expr, this.#of.lookbackMs, LAST) };
      case 'subquery':
        throw new PromqlFault('parse error: a subquery needs a function such as max_over_time()');
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
      const lines = await this.#ranged(name, args, over);
      return KEEPS_NAME.has(name)
        ? { kind: 'vector', lines }
        : unique({
            kind: 'vector',
            lines: lines.map((line) => ({ ...line, labels: nameless(line.labels) })),
          });
    }
    if (name === QUANTILE) return this.#quantile(args);
    const values: Value[] = [];
    for (const one of args) values.push(await this.value(one));
    return unique(callFunction(name, values, this.#times));
  }

  async #quantile(args: Expr[]): Promise<Value> {
    const [share, ...range] = args;
    if (!share || range.length !== 1)
      throw new PromqlFault(
        `parse error: expected 2 argument(s) in call to "${QUANTILE}", got ${args.length}`,
      );
    const over = quantileOverTime(numbersOf(await this.value(share), QUANTILE));
    const lines = await this.#ranged(QUANTILE, range, over);
    return unique({
      kind: 'vector',
      lines: lines.map((line) => ({ ...line, labels: nameless(line.labels) })),
    });
  }

  async #times1000(selector: Selector): Promise<Line[]> {
    const lines = await this.#read(selector, this.#of.lookbackMs, LAST_AT);
    return lines.map((line) => ({ ...line, labels: nameless(line.labels) }));
  }

  async #ranged(name: string, [first, ...more]: Expr[], over: RangeFunction): Promise<Line[]> {
    if (more.length === 0 && first?.kind === 'subquery') return this.#overSubquery(first, over);
    if (more.length > 0 || first?.kind !== 'selector' || first.rangeMs === null)
      throw new PromqlFault(`parse error: expected type range vector in call to function "${name}"`);
    return this.#read(first, first.rangeMs, over);
  }

  async #read(selector: Selector, rangeMs: number, of: RangeFunction): Promise<Line[]> {
    const windows = this.#windowsOf(selector, rangeMs);
    const lines = await this.#of.measured(selector.matchers, windows, of);
    return this.#filled(lines, selector);
  }

  /** The expression at multiples of its step, whatever the steps of the query: so it is the same when a chart moves. */
  async #overSubquery(subquery: Subquery, over: RangeFunction): Promise<Line[]> {
    const windows = this.#windowsOf(subquery, subquery.rangeMs);
    const stepMs = subquery.stepMs ?? SUBQUERY_STEP_MS;
    const start = (Math.floor((windows.start - windows.rangeMs) / stepMs) + 1) * stepMs;
    const inner = { ...this.#of, start, end: Math.max(start, windows.end), stepMs, whole: this.#whole };
    const steps = stepsIn({ ...inner, rangeMs: 0 });
    if (steps > SUBQUERY_STEPS)
      throw new PromqlFault(
        `the subquery would be evaluated at ${steps} steps: ask for up to ${SUBQUERY_STEPS}`,
      );
    const value = await evaluate(subquery.of, inner);
    const points =
      value.kind === 'scalar' ? [{ labels: {}, values: value.values }] : linesOf(value, 'subquery');
    demandWork({ ...windows, stepMs: Math.min(windows.stepMs, stepMs) }, points.length);
    const times = Array.from({ length: steps }, (_one, i) => start + i * stepMs);
    const lines = points.map(({ labels, values }) => ({
      labels,
      values: overPoints(values, times, windows, over),
    }));
    return this.#filled(lines, subquery);
  }

  get #whole(): { start: number; end: number } {
    const { start, end, whole } = this.#of;
    return whole ?? { start, end };
  }

  /** A part that is pinned to an instant has one window. */
  #windowsOf({ offsetMs, at }: Selector | Subquery, rangeMs: number): Windows {
    const { start, end, stepMs } = this.#of;
    if (at === null) return { start: start - offsetMs, end: end - offsetMs, stepMs, rangeMs };
    const pinned = (at === 'start' ? this.#whole.start : at === 'end' ? this.#whole.end : at) - offsetMs;
    return { start: pinned, end: pinned, stepMs, rangeMs };
  }

  /** Lines that have a value; what is pinned has the same one at all steps. */
  #filled(lines: readonly Line[], { at }: Selector | Subquery): Line[] {
    const there = lines.filter(({ values }) => values.some((one) => one !== undefined));
    if (at === null) return there;
    return there.map(({ labels, values: [only] }) => ({ labels, values: this.#times.map(() => only) }));
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
