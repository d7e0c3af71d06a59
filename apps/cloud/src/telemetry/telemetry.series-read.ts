import type { ClickHouse } from '@albedo/clickhouse/client';
import type { SeriesFunction } from '@albedo/contract/telemetry/series-functions';
import type { SeriesPoints } from '@albedo/contract/telemetry/telemetry.schema';
import type { ChartHours, KeptHours } from './telemetry.chart-hours.ts';
import { Bound } from './telemetry.columns.ts';
import { isTooMuch, reading, withinSql } from './telemetry.reading.ts';
import type { Grid, Span } from './telemetry.series-grid.ts';
import { fromHours, fromValues, HOURLY, unkeptSql, withEarlier } from './telemetry.series-hours.ts';
import { deviceOf, devicesOf, placesOf, sourcesOf, valuesOf } from './telemetry.series-places.ts';
import {
  type Bucket,
  bucketPoints,
  joined,
  noPoints,
  rawPoints,
  type Step,
  statsOf,
  type Tally,
  tallyOf,
  union,
  valuePoints,
  weigh,
  weighMost,
} from './telemetry.series-points.ts';
import type { Line, Rows } from './telemetry.series-rows.ts';
import { weightedValues } from './telemetry.weights.ts';
import { BESIDE_MS } from './telemetry.windows.ts';

/** Buckets of one question; more are too much. */
const BUCKETS = 200_000;
/** Where a point stands for no more than so long, there may be no more values than points, ms. */
const FEW_MS = 60_000;
/** Pieces of a span in which values are looked at, at most; with more of them all are. */
const MOST_SPANS = 50;
/** Of all lines together. */
const FEW_VALUES = 50_000;

type List = Float64Array;
type Numbers = [List, List, List, List, List, List, List, List, ...List[]];

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
  readonly #hours: ChartHours | null;

  constructor(
    { clickhouse, hours }: { clickhouse: ClickHouse; hours: ChartHours | null },
    rows: Rows,
    as: ReadAs,
    signal: AbortSignal | undefined,
  ) {
    this.#clickhouse = clickhouse;
    this.#hours = hours;
    this.#rows = rows;
    this.#as = as;
    this.#signal = signal;
  }

  async points(lines: readonly Line[]): Promise<SeriesPoints[]> {
    if (lines.length === 0) return [];
    const { grid, function: of } = this.#as;
    if (of !== 'average') return (await this.#applied(lines, of)).map((values) => valuePoints(values, grid));
    const found = await this.#few(lines);
    const others = lines.filter((_, i) => found[i] === null);
    const thinned = others.length > 0 ? await this.#thinned(others) : [];
    return lines.map((line, i) => found[i] ?? thinned[others.indexOf(line)] ?? noPoints());
  }

  /**
   * Lines with no more values than points; null for each that may have more. Where a value a minute fits, all values are
   * asked for at once, and no more of them than fit: that costs less than their buckets.
   */
  async #few(lines: readonly Line[]): Promise<(SeriesPoints | null)[]> {
    const { mostRaw, span } = this.#as;
    const isShort = mostRaw !== null && (span.to - span.from) / mostRaw <= FEW_MS;
    if (!isShort || lines.length * mostRaw > FEW_VALUES) return lines.map(() => null);
    const all = await this.#raw(lines, mostRaw + 1);
    return all.map((values) => {
      if (values.length > mostRaw) return null;
      // Two values of one instant are one.
      const buckets = weigh([...new Map(values)].map(([at, value]) => tallyOf(at, value)));
      return buckets && { ...rawPoints(values), stats: statsOf(buckets) };
    });
  }

  async #thinned(lines: readonly Line[]): Promise<SeriesPoints[]> {
    const { grid, mostRaw } = this.#as;
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
    const told = await this.#tallies(lines);
    const steady = told.map(weigh);
    const mostly = await this.#mostly(lines, told, steady);
    const others = lines.filter((_, i) => !steady[i] && !mostly[i]);
    const weighed = others.length > 0 ? await this.#weighed(others, this.#as.span) : [];
    return lines.map((line, i) => steady[i] ?? mostly[i] ?? weighed[others.indexOf(line)] ?? []);
  }

  /** Of lines with few buckets that are not steady only the values of those are looked at. Null for others. */
  async #mostly(
    lines: readonly Line[],
    told: readonly Tally[][],
    steady: readonly (Bucket[] | null)[],
  ): Promise<(Bucket[] | null)[]> {
    const { grid, span } = this.#as;
    const isPlain = this.#rows.hoursOf(valuesOf(lines)) !== null;
    const mostly = told.map((tallies, i) =>
      isPlain && !steady[i] ? weighMost(tallies, (at) => grid.endOf(at)) : null,
    );
    const some = lines.filter((_, i) => mostly[i]);
    const spans = union(mostly.flatMap((one) => one?.spans ?? []));
    const length = spans.reduce((sum, { from, to }) => sum + to - from, 0);
    const isWorth = some.length > 0 && spans.length <= MOST_SPANS && length * 2 < span.to - span.from;
    if (!isWorth) return lines.map(() => null);
    const found = await this.#bucketsOf(some, span, spans).catch((error: unknown) => {
      if (isTooMuch(error)) return null;
      throw error;
    });
    return lines.map((line, i) => {
      const one = mostly[i];
      if (!one || !found) return null;
      const weighed = new Map(found[some.indexOf(line)]?.map((bucket) => [bucket.at, bucket]));
      return one.buckets.map((bucket) => (one.rough.has(bucket.at) && weighed.get(bucket.at)) || bucket);
    });
  }

  async #tallies(lines: readonly Line[]): Promise<Tally[][]> {
    const kept = await this.#kept(lines, HOURLY.tally);
    if (kept) return tallies(kept);
    const bound = new Bound();
    const start = this.#as.grid.sql('t', bound);
    const columns = [...STEP, 'avg(t - b)', 'varPopStable(t - b)'];
    const each = `SELECT d, s, f, t, v, ${start} AS b FROM (${this.#each(lines, bound, this.#as.span)})`;
    return tallies(await this.#byBucket(lines, columns, each, bound));
  }

  /**
   * What `columns` make of each bucket, from kept hours; null where buckets begin within an hour, or none are kept. Hours are
   * read beside the look where it can be guessed: that takes two thirds of the time.
   */
  async #kept(lines: readonly Line[], columns: readonly string[]): Promise<List[][] | null> {
    const of = this.#as.grid.isOfHours ? this.#rows.hoursOf(valuesOf(lines)) : null;
    if (!of || !this.#hours) return null;
    const streams = { devices: devicesOf(lines), sources: sourcesOf(lines) };
    const guess = this.#hours.guess(of, this.#as.span);
    const [found, guessed] = await Promise.all([
      this.#hours.look(of, streams, this.#as.span, this.#signal),
      guess && this.#hourly(lines, guess, columns),
    ]);
    if (guess && guessed && this.#hours.bearsOut(guess, found)) return guessed;
    return found && this.#hourly(lines, found, columns);
  }

  /** What `columns` make of each bucket, from kept hours as far as they go and from the values beside them. */
  #hourly(lines: readonly Line[], kept: KeptHours, columns: readonly string[]): Promise<List[][]> {
    const bound = new Bound();
    const { grid, span: asked, function: of } = this.#as;
    const span = of === 'difference' ? { from: asked.from - BESIDE_MS, to: asked.to } : asked;
    const streams = {
      devices: bound.add(devicesOf(lines), 'Array(UUID)'),
      sources: bound.add(sourcesOf(lines), 'Array(String)'),
    };
    const hours = fromHours(kept, streams, placesOf(lines, bound), grid, bound);
    const rest = unkeptSql(kept, span, bound);
    const values =
      rest === null ? '' : ` UNION ALL ${fromValues(this.#each(lines, bound, span, rest), grid, bound)}`;
    const rows = hours + values;
    return this.#byBucket(
      lines,
      columns,
      of === 'difference' ? withEarlier(rows, asked.from, bound) : rows,
      bound,
    );
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

  /** `spans`: of those alone. */
  async #bucketsOf(lines: readonly Line[], span: Span, spans?: readonly Span[]): Promise<Bucket[][]> {
    const bound = new Bound();
    const within = spans && `(${spans.map((one) => `(${withinSql(one, bound)})`).join(' OR ')})`;
    const columns = [
      ...STEP,
      ...['sumIf(v * p, NOT isGap)', 'toFloat64(sumIf(p, NOT isGap))', 'toFloat64(argMax(isGap, t))'],
    ];
    const values = `SELECT d, s, f, t, v, p, isGap, ${this.#as.grid.sql('t', bound)} AS b
      FROM (${weightedValues(this.#each(lines, bound, span, within))})`;
    const answers = await this.#byBucket(lines, columns, values, bound);
    return answers.map((lists) =>
      steps(lists, (_, i, [area, ms, isGapAfter]) => ({
        area: area?.[i] as number,
        ms: ms?.[i] as number,
        isGapAfter: isGapAfter?.[i] === 1,
      })),
    );
  }

  /** Each bucket with what the function makes of its values. */
  async #applied(
    lines: readonly Line[],
    of: Exclude<SeriesFunction, 'average'>,
  ): Promise<(readonly [at: number, value: number])[][]> {
    const { span } = this.#as;
    const kept = Object.hasOwn(HOURLY, of)
      ? await this.#kept(lines, ['b', HOURLY[of as keyof typeof HOURLY] as string])
      : null;
    // Hours that were kept before they told of differences make one that is no number.
    if (kept?.every(([, values]) => !values?.some(Number.isNaN))) return pairs(kept);
    const bound = new Bound();
    const from = of === 'difference' ? this.#increases(lines, bound, span) : this.#each(lines, bound, span);
    const values = `SELECT *, ${this.#as.grid.sql('t', bound)} AS b FROM (${from})`;
    return pairs(await this.#byBucket(lines, ['b', AGGREGATES[of]], values, bound));
  }

  /** Every value with the one before it, `earlier`; of the first of a stream that one lies before the span, as it does for KPIs. */
  #increases(lines: readonly Line[], bound: Bound, { from, to }: Span): string {
    const each = this.#each(lines, bound, { from: from - BESIDE_MS, to });
    return `SELECT * FROM (SELECT *, lagInFrame(toNullable(v)) OVER (PARTITION BY d, s, f ORDER BY t, msg_id
        ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS earlier FROM (${each}))
      WHERE t >= ${bound.add(from, 'Int64')}`;
  }

  /**
   * Every value: `d`, `s` and `f` (the places of its device, its source and itself among those that are asked for), `t`,
   * `msg_id` and `v`; of those only for which `more` is true.
   */
  #each(lines: readonly Line[], bound: Bound, span: Span, more = '1'): string {
    const { from, where: within } = this.#rows.events(lines, bound, span);
    const where = `${within} AND ${more}`;
    const { d, s } = placesOf(lines, bound);
    const head = `SELECT ${d} AS d, ${s} AS s, ${this.#rows.ms(bound)} AS t, msg_id`;
    const [only, ...others] = valuesOf(lines).map((name) => this.#rows.value(name, bound));
    if (others.length === 0)
      return `${head}, 0 AS f, assumeNotNull(${only}) AS v FROM ${from} WHERE ${where} AND isNotNull(${only})`;
    const of = [only, ...others].map((value, i) => `(${i}, ${value})`);
    return `${head}, one.1 AS f, assumeNotNull(one.2) AS v
      FROM ${from} ARRAY JOIN [${of.join(', ')}] AS one WHERE ${where} AND isNotNull(one.2)`;
  }

  /** Values in the order of their times, `most` of each line. */
  async #raw(lines: readonly Line[], most?: number): Promise<[number, number][][]> {
    const bound = new Bound();
    const limit = most === undefined ? '' : `LIMIT ${bound.add(most, 'UInt32')} BY d, s, f`;
    const values = `SELECT d, s, f, toFloat64(t) AS c0, v AS c1 FROM (${this.#each(lines, bound, this.#as.span)})
      ORDER BY d, s, f, t, msg_id ${limit}`;
    const answers = await this.#columns(lines, 2, values, bound);
    return pairs(answers);
  }

  /**
   * Lists of each line with a number for each of its buckets, in the order of the first column, which is `b`. `values`
   * selects `d`, `s`, `f`, `b` and what the columns are made of.
   */
  #byBucket(
    lines: readonly Line[],
    columns: readonly string[],
    values: string,
    bound: Bound,
  ): Promise<List[][]> {
    const named = columns.map((column, i) => `${column} AS c${i}`);
    const buckets = `SELECT d, s, f, ${named.join(', ')} FROM (${values}) GROUP BY d, s, f, b
      ORDER BY d, s, f, b`;
    return this.#columns(lines, columns.length, buckets, bound);
  }

  /** The columns `c0`, `c1`, … of what is selected: a list each for each line. The rows of a line stand together. */
  async #columns(lines: readonly Line[], count: number, sql: string, bound: Bound): Promise<List[][]> {
    const [devices, sources] = [devicesOf(lines), sourcesOf(lines)];
    const columns = [
      ...['toUInt32(d)', 'toUInt32(s)', 'toUInt32(f)'],
      ...Array.from({ length: count }, (_, i) => `c${i}`),
    ];
    const types = columns.map((_, i) => (i < 3 ? ('UInt32' as const) : ('Float64' as const)));
    const limits = { max_rows_to_group_by: BUCKETS, max_result_rows: 0 };
    const [device, source, value, ...lists] = await this.#clickhouse.queryColumns(
      `SELECT ${columns.join(', ')} FROM (${sql})`,
      types,
      reading(bound, this.#signal, limits),
    );
    const found = new Map<string, [from: number, to: number]>();
    const rows = device?.length ?? 0;
    for (let from = 0, to = 0; from < rows; from = to) {
      const is = (list: (typeof lists)[number] | undefined) => list?.[to] === list?.[from];
      while (to < rows && is(device) && is(source) && is(value)) to++;
      found.set(`${device?.[from]} ${source?.[from]} ${value?.[from]}`, [from, to]);
    }
    const names = valuesOf(lines);
    return lines.map((line) => {
      const place = [devices.indexOf(deviceOf(line)) + 1, sources.indexOf(line.source) + 1];
      const range = found.get([...place, names.indexOf(line.value)].join(' ')) ?? [0, 0];
      return (lists as List[]).map((list) => list.subarray(...range));
    });
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

const pairs = (answers: List[][]): [number, number][][] =>
  answers.map((lists) => {
    const [at, value] = lists as Numbers;
    return Array.from(at, (ms, i) => [ms, value[i] as number]);
  });

const tallies = (answers: List[][]): Tally[][] =>
  answers.map((lists) =>
    steps(lists, (at, i, [within, variance]) => ({
      middle: at + (within?.[i] as number),
      variance: variance?.[i] as number,
    })),
  );

/** What is told of each bucket in any case, as columns of the engine. */
const STEP = [
  ...['b', 'toFloat64(count())', 'min(v)', 'avg(v)', 'max(v)', 'toFloat64(min(t))', 'toFloat64(max(t))'],
  'argMax(v, t)',
];

/** The buckets of what `STEP` and further columns answered; `more` makes something of the latter. */
function steps<More>(
  lists: List[],
  more: (at: number, i: number, further: readonly List[]) => More,
): (Step & More)[] {
  const [at, n, min, mean, max, first, last, value, ...further] = lists as Numbers;
  return Array.from(at, (start, i) => ({
    at: start,
    n: n[i] as number,
    min: min[i] as number,
    mean: mean[i] as number,
    max: max[i] as number,
    first: first[i] as number,
    last: { at: last[i] as number, value: value[i] as number },
    ...more(start, i, further),
  }));
}
