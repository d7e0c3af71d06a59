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

type TallyRow = [
  ...values: [n: number, min: number, mean: number, max: number],
  ...times: [first: number, last: number, lastValue: number, within: number, variance: number],
];
const TALLY_COLUMNS = 9;

type BucketRow = [
  ...stream: [device: string, source: string],
  ...of: [value: number, at: number],
  ...values: [n: number, min: number, mean: number, max: number],
  ...times: [first: number, last: number],
  ...weights: [lastValue: number, area: number, ms: number, isGapAfter: 0 | 1],
];

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
    const names = valuesOf(lines);
    const ms = this.#rows.ms(bound);
    const start = this.#as.grid.sql(ms, bound);
    const values = names.map((name) => {
      const value = this.#rows.value(name, bound);
      const times = `toFloat64(minIf(${ms}, isNotNull(${value}))), toFloat64(maxIf(${ms}, isNotNull(${value})))`;
      const within = `(toFloat64(${ms}) - ${start}, isNotNull(${value}))`;
      const spread = `avgIf${within}, varPopStableIf${within}`;
      return `toFloat64(count(${value})), min(${value}), avg(${value}), max(${value}), ${times}, argMax(${value}, ${ms}), ${spread}`;
    });
    const { from, where } = this.#rows.events(lines, bound, this.#as.span);
    const sql = `SELECT toString(device) AS d, source, ${start} AS b, ${values.join(', ')}
      FROM ${from} WHERE ${where} GROUP BY device, source, b ORDER BY b`;
    const rows = await this.#ask<[string, string, number, ...number[]]>(sql, bound);
    return spread(lines, rows, (line, row) => {
      const from = 3 + TALLY_COLUMNS * names.indexOf(line.value);
      const [n, min, mean, max, first, last, value, within, variance] = row.slice(
        from,
        from + TALLY_COLUMNS,
      ) as TallyRow;
      if (n === 0) return null;
      const at = row[2];
      return { at, n, min, mean, max, first, last: { at: last, value }, middle: at + within, variance };
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
    const names = valuesOf(lines);
    const sql = `SELECT toString(d), source, f, ${this.#as.grid.sql('t', bound)} AS b, toFloat64(count()),
        min(v), avg(v), max(v), toFloat64(min(t)), toFloat64(max(t)), argMax(v, t),
        sumIf(v * p, NOT isGap), toFloat64(sumIf(p, NOT isGap)), argMax(isGap, t)
      FROM (${weightedValues(this.#each(lines, bound, span))}) GROUP BY d, source, f, b ORDER BY b`;
    return spread(lines, await this.#ask<BucketRow>(sql, bound), (line, row) => {
      const [, , value, at, n, min, mean, max, first, lastAt, lastValue, area, ms, isGapAfter] = row;
      if (names[value] !== line.value) return null;
      const last = { at: lastAt, value: lastValue };
      return { at, n, min, mean, max, first, last, area, ms, isGapAfter: isGapAfter === 1 };
    });
  }

  /** Each bucket with what the function makes of its values. */
  async #applied(
    lines: readonly Line[],
    of: Exclude<SeriesFunction, 'average'>,
  ): Promise<(readonly [at: number, value: number])[][]> {
    const bound = new Bound();
    const names = valuesOf(lines);
    const each = this.#each(lines, bound, this.#as.span);
    const values =
      of === 'difference'
        ? `SELECT *, lagInFrame(toNullable(v)) OVER (PARTITION BY d, source, f ORDER BY t, msg_id
            ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS earlier FROM (${each})`
        : each;
    const sql = `SELECT toString(d), source, f, ${this.#as.grid.sql('t', bound)} AS b, ${AGGREGATES[of]}
      FROM (${values}) GROUP BY d, source, f, b ORDER BY b`;
    return spread(
      lines,
      await this.#ask<[string, string, number, number, number]>(sql, bound),
      (line, row) => (names[row[2]] === line.value ? ([row[3], row[4]] as const) : null),
    );
  }

  /** Every value: `d`, `source`, `f` (its place among the values that are asked for), `t`, `msg_id` and `v`. */
  #each(lines: readonly Line[], bound: Bound, span: Span): string {
    const of = valuesOf(lines).map((name, i) => `(${i}, ${this.#rows.value(name, bound)})`);
    const { from, where } = this.#rows.events(lines, bound, span);
    return `SELECT device AS d, source, one.1 AS f, ${this.#rows.ms(bound)} AS t, msg_id, assumeNotNull(one.2) AS v
      FROM ${from} ARRAY JOIN [${of.join(', ')}] AS one WHERE ${where} AND isNotNull(one.2)`;
  }

  async #raw(lines: readonly Line[]): Promise<[number, number][][]> {
    const bound = new Bound();
    const names = valuesOf(lines);
    const values = names.map((name) => this.#rows.value(name, bound));
    const ms = this.#rows.ms(bound);
    const { from, where } = this.#rows.events(lines, bound, this.#as.span);
    const sql = `SELECT toString(device) AS d, source, toFloat64(${ms}) AS at, ${values.join(', ')}
      FROM ${from} WHERE ${where} ORDER BY at, msg_id`;
    const rows = await this.#ask<[string, string, number, ...(number | null)[]]>(sql, bound);
    return spread(lines, rows, (line, row) => {
      const value = row[3 + names.indexOf(line.value)] ?? null;
      return value === null ? null : ([row[2], value] as [number, number]);
    });
  }

  #ask<Row extends unknown[]>(sql: string, bound: Bound): Promise<Row[]> {
    return this.#clickhouse.queryRows<Row>(sql, reading(bound, this.#signal));
  }
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

/** The rows of each line's stream, as `take` reads them. */
function spread<Row extends readonly [string, string, ...unknown[]], T>(
  lines: readonly Line[],
  rows: readonly Row[],
  take: (line: Line, row: Row) => T | null,
): T[][] {
  const streams = new Map<string, Row[]>();
  for (const row of rows) {
    const stream = `${row[0]} ${row[1]}`;
    const list = streams.get(stream);
    if (list) list.push(row);
    else streams.set(stream, [row]);
  }
  return lines.map((line) =>
    (streams.get(`${line.device.toLowerCase()} ${line.source}`) ?? [])
      .map((row) => take(line, row))
      .filter((one) => one !== null),
  );
}
