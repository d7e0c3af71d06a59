import type { ClickHouse } from '@albedo/clickhouse/client';
import type { SeriesFunction, SeriesPoints } from '@albedo/contract/telemetry/telemetry.schema';
import { Bound } from './telemetry.columns.ts';
import { isTooMuch, reading } from './telemetry.reading.ts';
import type { Grid, Span } from './telemetry.series-grid.ts';
import {
  type Bucket,
  bucketPoints,
  joined,
  rawPoints,
  statsOf,
  type Tally,
  valuePoints,
  weigh,
} from './telemetry.series-points.ts';
import type { Line, Rows } from './telemetry.series-rows.ts';
import { weightedValues } from './telemetry.weights.ts';
import { BESIDE_MS } from './telemetry.windows.ts';

/** Buckets of one question; more are too much. */
const BUCKETS = 200_000;

type List = Float64Array;
type Numbers = [List, List, List, List, List, List, List, List, List, List, List];

/** How one read is made of its rows. */
export interface ReadAs {
  span: Span;
  grid: Grid;
  /** Up to so many values are points of their own; null where there are always buckets. */
  mostRaw: number | null;
  function: SeriesFunction;
}

/** Points of several lines of the same rows over the same span. */
export class SeriesRead {
  readonly #clickhouse: ClickHouse;
  readonly #rows: Rows;
  readonly #as: ReadAs;
  readonly #signal: AbortSignal | undefined;

  constructor(clickhouse: ClickHouse, rows: Rows, as: ReadAs, signal: AbortSignal | undefined) {
    this.#clickhouse = clickhouse;
    this.#rows = rows;
    this.#as = as;
    this.#signal = signal;
  }

  async points(lines: readonly Line[]): Promise<SeriesPoints[]> {
    if (lines.length === 0) return [];
    const { grid, mostRaw } = this.#as;
    if (this.#as.function !== 'average')
      return (await this.#applied(lines, this.#as.function)).map((values) => valuePoints(values, grid));
    const buckets = await this.#buckets(lines);
    const isFew = buckets.map((one) => mostRaw !== null && one.reduce((sum, { n }) => sum + n, 0) <= mostRaw);
    const few = lines.filter((_, i) => isFew[i] && buckets[i]?.some(({ n }) => n > 1));
    const raw = few.length > 0 ? await this.#raw(few) : [];
    return lines.map((line, i) => {
      const thinned = buckets[i] ?? [];
      const points = isFew[i]
        ? rawPoints(raw[few.indexOf(line)] ?? thinned.map(({ first, last }) => [first, last.value] as const))
        : bucketPoints(thinned, grid);
      return { ...points, stats: statsOf(thinned) };
    });
  }

  /**
   * The buckets of each line. What comes at a steady pace is weighed by what its buckets tell; of other streams every
   * single value has to be looked at.
   */
  async #buckets(lines: readonly Line[]): Promise<Bucket[][]> {
    const steady = (await this.#tallies(lines)).map(weigh);
    const others = lines.filter((_, i) => steady[i] === null);
    const weighed = others.length > 0 ? await this.#weighed(others, this.#as.span) : [];
    return lines.map((line, i) => steady[i] ?? weighed[others.indexOf(line)] ?? []);
  }

  async #tallies(lines: readonly Line[]): Promise<Tally[][]> {
    const bound = new Bound();
    const start = this.#as.grid.sql('t', bound);
    const columns = [
      ...['b', 'toFloat64(count())', 'min(v)', 'avg(v)', 'max(v)', 'toFloat64(min(t))', 'toFloat64(max(t))'],
      ...['argMax(v, t)', 'avg(t - b)', 'varPopStable(t - b)'],
    ];
    const each = `SELECT d, source, f, t, v, ${start} AS b FROM (${this.#each(lines, bound, this.#as.span)})`;
    const answers = await this.#byBucket(lines, columns, each, bound);
    return answers.map((lists) => {
      const [at, n, min, mean, max, first, last, value, within, variance] = lists as Numbers;
      return Array.from(at, (start, i) => ({
        at: start,
        n: n[i] as number,
        min: min[i] as number,
        mean: mean[i] as number,
        max: max[i] as number,
        first: first[i] as number,
        last: { at: last[i] as number, value: value[i] as number },
        middle: start + (within[i] as number),
        variance: variance[i] as number,
      }));
    });
  }

  /** What is too much for one question is asked in halves. */
  async #weighed(lines: readonly Line[], span: Span): Promise<Bucket[][]> {
    try {
      return await this.#bucketsOf(lines, span);
    } catch (error) {
      const middle = this.#as.grid.edgeIn(span);
      if (!isTooMuch(error) || middle <= span.from || middle >= span.to) throw error;
      const earlier = await this.#weighed(lines, { from: span.from, to: middle });
      const later = await this.#weighed(lines, { from: middle, to: span.to });
      return earlier.map((buckets, i) => joined(buckets, later[i] ?? []));
    }
  }

  async #bucketsOf(lines: readonly Line[], span: Span): Promise<Bucket[][]> {
    const bound = new Bound();
    const columns = [
      ...['b', 'toFloat64(count())', 'min(v)', 'avg(v)', 'max(v)', 'toFloat64(min(t))', 'toFloat64(max(t))'],
      ...['argMax(v, t)', 'sumIf(v * p, NOT isGap)', 'toFloat64(sumIf(p, NOT isGap))'],
      'toFloat64(argMax(isGap, t))',
    ];
    const values = `SELECT d, source, f, t, v, p, isGap, ${this.#as.grid.sql('t', bound)} AS b
      FROM (${weightedValues(this.#each(lines, bound, span))})`;
    const answers = await this.#byBucket(lines, columns, values, bound);
    return answers.map((lists) => {
      const [at, n, min, mean, max, first, last, value, area, ms, isGapAfter] = lists as Numbers;
      return Array.from(at, (start, i) => ({
        at: start,
        n: n[i] as number,
        min: min[i] as number,
        mean: mean[i] as number,
        max: max[i] as number,
        first: first[i] as number,
        last: { at: last[i] as number, value: value[i] as number },
        area: area[i] as number,
        ms: ms[i] as number,
        isGapAfter: isGapAfter[i] === 1,
      }));
    });
  }

  /** Each bucket with what the function makes of its values. */
  async #applied(
    lines: readonly Line[],
    of: Exclude<SeriesFunction, 'average'>,
  ): Promise<(readonly [at: number, value: number])[][]> {
    const bound = new Bound();
    const { span } = this.#as;
    const from = of === 'difference' ? this.#increases(lines, bound, span) : this.#each(lines, bound, span);
    const values = `SELECT *, ${this.#as.grid.sql('t', bound)} AS b FROM (${from})`;
    const answers = await this.#byBucket(lines, ['b', AGGREGATES[of]], values, bound);
    return answers.map((lists) => {
      const [at, made] = lists as Numbers;
      return Array.from(at, (start, i) => [start, made[i] as number] as const);
    });
  }

  /** Every value with the one before it, `earlier`; of the first of a stream that one lies before the span, as it does for KPIs. */
  #increases(lines: readonly Line[], bound: Bound, { from, to }: Span): string {
    const each = this.#each(lines, bound, { from: from - BESIDE_MS, to });
    return `SELECT * FROM (SELECT *, lagInFrame(toNullable(v)) OVER (PARTITION BY d, source, f ORDER BY t, msg_id
        ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS earlier FROM (${each}))
      WHERE t >= ${bound.add(from, 'Int64')}`;
  }

  /** Every value: `d`, `source`, `f` (its place among the values that are asked for), `t`, `msg_id` and `v`. */
  #each(lines: readonly Line[], bound: Bound, span: Span): string {
    const { from, where } = this.#rows.events(lines, bound, span);
    const head = `SELECT device AS d, source, ${this.#rows.ms(bound)} AS t, msg_id`;
    const [only, ...others] = valuesOf(lines).map((name) => this.#rows.value(name, bound));
    if (others.length === 0)
      return `${head}, 0 AS f, assumeNotNull(${only}) AS v FROM ${from} WHERE ${where} AND isNotNull(${only})`;
    const of = [only, ...others].map((value, i) => `(${i}, ${value})`);
    return `${head}, one.1 AS f, assumeNotNull(one.2) AS v
      FROM ${from} ARRAY JOIN [${of.join(', ')}] AS one WHERE ${where} AND isNotNull(one.2)`;
  }

  async #raw(lines: readonly Line[]): Promise<[number, number][][]> {
    const bound = new Bound();
    const values = `SELECT d, source, f, toFloat64(t) AS c0, v AS c1 FROM (${this.#each(lines, bound, this.#as.span)})
      ORDER BY t, msg_id`;
    const answers = await this.#lists(lines, 2, values, bound);
    return answers.map((lists) => {
      const [at, value] = lists as Numbers;
      return Array.from(at, (ms, i) => [ms, value[i] as number]);
    });
  }

  /**
   * Lists of each line with a number for each of its buckets, in the order of the first column, which is `b`. `values`
   * selects `d`, `source`, `f`, `b` and what the columns are made of.
   */
  #byBucket(
    lines: readonly Line[],
    columns: readonly string[],
    values: string,
    bound: Bound,
  ): Promise<List[][]> {
    const named = columns.map((column, i) => `${column} AS c${i}`);
    const buckets = `SELECT d, source, f, ${named.join(', ')} FROM (${values}) GROUP BY d, source, f, b ORDER BY b`;
    return this.#lists(lines, columns.length, buckets, bound);
  }

  /** The columns `c0`, `c1`, … of what is selected, in its order: a list each for each line. */
  async #lists(lines: readonly Line[], count: number, sql: string, bound: Bound): Promise<List[][]> {
    const all = Array.from({ length: count }, (_, i) => `groupArray(c${i})`);
    const rows = await this.#clickhouse.queryLists(
      `SELECT toString(d), toString(source), toString(f), ${all.join(', ')} FROM (${sql}) GROUP BY d, source, f`,
      { texts: 3, lists: count },
      reading(bound, this.#signal, { max_rows_to_group_by: BUCKETS }),
    );
    const found = new Map(rows.map(({ texts, lists }) => [texts.join(' '), inOrder(lists)]));
    const names = valuesOf(lines);
    const none = Array.from({ length: count }, () => new Float64Array());
    return lines.map(
      ({ device, source, value }) =>
        found.get(`${device.toLowerCase()} ${source} ${names.indexOf(value)}`) ?? none,
    );
  }
}

/**
 * The lists in the order of the first one. The engine gathers rows in their order, but promises it for a single thread
 * only, so it is looked at; it costs nothing beside reading.
 */
export function inOrder(lists: List[]): List[] {
  const [first] = lists;
  if (!first || first.every((value, i) => i === 0 || (first[i - 1] as number) <= value)) return lists;
  const order = [...first.keys()].sort((a, b) => (first[a] as number) - (first[b] as number));
  return lists.map((list) => Float64Array.from(order, (i) => list[i] as number));
}

/** A counter that starts over has counted since then what it shows. */
const AGGREGATES: Record<Exclude<SeriesFunction, 'average'>, string> = {
  min: 'min(v)',
  max: 'max(v)',
  sum: 'sum(v)',
  count: 'toFloat64(count())',
  first: 'argMin(v, (t, msg_id))',
  last: 'argMax(v, (t, msg_id))',
  difference: 'sum(multiIf(isNull(earlier), 0., v >= assumeNotNull(earlier), v - assumeNotNull(earlier), v))',
  stdDeviation: 'stddevPopStable(v)',
};

const valuesOf = (lines: readonly Line[]): string[] => [...new Set(lines.map(({ value }) => value))];
