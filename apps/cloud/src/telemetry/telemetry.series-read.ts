import type { ClickHouse, Settings } from '@albedo/clickhouse/client';
import type { SeriesFunction } from '@albedo/contract/telemetry/series-functions';
import type { SeriesPoints } from '@albedo/contract/telemetry/telemetry.schema';
import type { CounterReading } from '@albedo/energy/counter-readings';
import { shareByIntervals } from '@albedo/energy/counter-shares';
import { countGains } from '@albedo/energy/counters';
import {
  type ChartHours,
  DAY_MS,
  type HoursOf,
  type KeptHours,
  LAST_DAY,
  type StreamDay,
} from './telemetry.chart-hours.ts';
import { Bound } from './telemetry.columns.ts';
import { condensedSql } from './telemetry.counters.ts';
import { withPartial } from './telemetry.partial.ts';
import { isTooMuch, reading, withinSql } from './telemetry.reading.ts';
import type { Grid, Span } from './telemetry.series-grid.ts';
import { fromHours, fromValues, HOURLY, onDaysSql, unkeptSql } from './telemetry.series-hours.ts';
import { bucketsKey, deviceOf, devicesOf, placesOf, sourcesOf, valuesOf } from './telemetry.series-places.ts';
import {
  type Bucket,
  bucketPoints,
  joined,
  noPoints,
  rawPoints,
  type Step,
  statsOf,
  type Tally,
  type TimesAndValues,
  tallyOf,
  tallyValues,
  union,
  valuePoints,
  weigh,
  weighMost,
  weighValues,
} from './telemetry.series-points.ts';
import type { Line, Rows } from './telemetry.series-rows.ts';
import { isWithin, type Settled, wholeBuckets } from './telemetry.settled.ts';
import { weightedValues } from './telemetry.weights.ts';
import { BESIDE_MS, FAR_MS } from './telemetry.windows.ts';

/** Buckets of one question; more are too much. */
const BUCKETS = 200_000;
/** Where a point stands for no more than so long, there may be no more values than points, ms. */
const FEW_MS = 60_000;
/** Pieces of a span in which values are looked at, at most; with more of them all are. */
const MOST_SPANS = 50;
/** Of all lines together. */
const FEW_VALUES = 50_000;
/** As many lie beside what is remembered; of more than these the engine tells sooner. Of all lines together. */
const NEAR_VALUES = 20_000;
/** Days of streams whose values are read here, at most. */
const FEW_DAYS = 1000;

type List = Float64Array;
type Numbers = [List, List, List, List, List, List, List, List, ...List[]];

/** Values that were read anyway, of each line. */
interface Near {
  /** All that lie there. */
  covered: readonly Span[];
  values: readonly TimesAndValues[];
}

/** What is told of the buckets of each line. */
interface Told {
  tallies: readonly Tally[][];
  /** Which of it is remembered. */
  settled: Settled | null;
  near: Near | null;
}

/** A line of which some buckets are not steady. */
interface Rough {
  line: Line;
  /** Where the values lie that tell of them. */
  spans: readonly Span[];
  tallies: readonly Tally[];
  /** What is remembered of such buckets, by their spans. */
  weighed: Map<string, readonly Bucket[]>;
  near: { covered: readonly Span[]; values: TimesAndValues } | undefined;
}

/** How one read is made of its rows. */
export interface ReadAs {
  span: Span;
  grid: Grid;
  /** Up to so many values are points of their own; null where there are always buckets. */
  mostRaw: number | null;
  function: SeriesFunction;
  /** When it is read, epoch ms. */
  now: number;
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
    return (await this.#read(lines)).map((points) => withPartial(points, this.#as));
  }

  async #read(lines: readonly Line[]): Promise<SeriesPoints[]> {
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
    const steady = told.tallies.map(weigh);
    const mostly = await this.#mostly(lines, told, steady);
    const others = lines.filter((_, i) => !steady[i] && !mostly[i]);
    const weighed = others.length > 0 ? await this.#weighed(others, this.#as.span) : [];
    return lines.map((line, i) => steady[i] ?? mostly[i] ?? weighed[others.indexOf(line)] ?? []);
  }

  /** Of lines with few buckets that are not steady only the values of those are looked at. Null for others. */
  async #mostly(
    lines: readonly Line[],
    { tallies, settled, near }: Told,
    steady: readonly (Bucket[] | null)[],
  ): Promise<(Bucket[] | null)[]> {
    const { grid } = this.#as;
    const isPlain = this.#rows.hoursOf(valuesOf(lines)) !== null;
    const mostly = tallies.map((one, i) =>
      isPlain && !steady[i] ? weighMost(one, (at) => grid.endOf(at)) : null,
    );
    const rough = lines.flatMap((line, i): Rough[] => {
      const spans = mostly[i]?.spans;
      if (!spans) return [];
      const weighed = settled?.weighed[i] ?? new Map<string, Bucket[]>();
      const values = near?.values[i];
      return [{ line, spans, tallies: tallies[i] ?? [], weighed, near: values && { ...near, values } }];
    });
    if (rough.length === 0) return lines.map(() => null);
    const few = await this.#fewBuckets(rough, settled?.span);
    const all = () => union(rough.flatMap(({ spans }) => spans));
    const some = rough.map(({ line }) => line);
    const found = few ?? (await this.#bucketsIn(some, all()));
    return lines.map((line, i) => {
      const one = mostly[i];
      if (!one || !found) return null;
      const weighed = new Map(found[some.indexOf(line)]?.map((bucket) => [bucket.at, bucket]));
      return one.buckets.map((bucket) => (one.rough.has(bucket.at) && weighed.get(bucket.at)) || bucket);
    });
  }

  /**
   * The buckets of each of these lines within its spans. Few values are weighed here: to understand how they are weighed takes the
   * engine longer than to read them. What was weighed of the settled ones is remembered. Null where there are more.
   */
  async #fewBuckets(rough: readonly Rough[], settled: Span | undefined): Promise<Bucket[][] | null> {
    const { grid } = this.#as;
    const weigh = ({ spans, weighed }: Pick<Rough, 'spans' | 'weighed'>, values: TimesAndValues) => {
      const buckets = weighValues(values, spans, grid);
      const within = (span: Span) => buckets.filter(({ at }) => at >= span.from && at < span.to);
      for (const span of spans)
        if (settled && isWithin(span, settled)) weighed.set(nameOf(span), within(span));
      return buckets;
    };
    const parts = rough.map(({ spans, weighed, near, ...one }) => {
      const unknown = spans.filter((span) => !weighed.has(nameOf(span)));
      const isNear = (span: Span) => near?.covered.some((covered) => isWithin(span, covered)) ?? false;
      return {
        ...{ ...one, weighed, values: near?.values ?? [[], []] },
        known: spans.flatMap((span) => weighed.get(nameOf(span)) ?? []),
        near: unknown.filter(isNear),
        open: unknown.filter((span) => !isNear(span)),
      };
    });
    const open = parts.filter((one) => one.open.length > 0);
    const days = open.flatMap(({ line, open: spans }) =>
      daysOf(spans).map((day): StreamDay => [day, deviceOf(line), line.source]),
    );
    if (open.length > 0) {
      const count = open.reduce((sum, one) => sum + countIn(one.tallies, one.open), 0);
      const onDays = (count / lengthOf(open.flatMap((one) => one.open))) * days.length * DAY_MS;
      const isOfDates = days.every(([day]) => day >= 0 && day <= LAST_DAY);
      if (days.length > FEW_DAYS || onDays > FEW_VALUES || !isOfDates) return null;
    }
    const lines = open.map(({ line }) => line);
    const more = (bound: Bound) => onDaysSql(days, bound);
    const read = open.length > 0 ? await this.#values(lines, { more }) : [];
    return parts.map(({ known, near, weighed, values, ...one }) => [
      ...known,
      ...weigh({ spans: near, weighed }, values),
      ...weigh(
        { spans: one.open, weighed },
        (read[open.findIndex(({ line }) => line === one.line)] ?? [[], []]) as TimesAndValues,
      ),
    ]);
  }

  /** The buckets of all of these lines within the same spans; null where all values might as well be read. */
  async #bucketsIn(lines: readonly Line[], spans: readonly Span[]): Promise<Bucket[][] | null> {
    const { span } = this.#as;
    if (spans.length > MOST_SPANS || lengthOf(spans) * 2 >= span.to - span.from) return null;
    return this.#bucketsOf(lines, span, spans).catch((error: unknown) => {
      if (isTooMuch(error)) return null;
      throw error;
    });
  }

  async #tallies(lines: readonly Line[]): Promise<Told> {
    const remembered = await this.#remembered(lines);
    if (remembered) return remembered;
    const kept = await this.#kept(lines, (hours) => this.#hourly(lines, hours, HOURLY.tally));
    if (kept) {
      const told = tallies(kept.answer);
      return { tallies: told, settled: this.#remember(lines, told, kept.found), near: null };
    }
    const bound = new Bound();
    const start = this.#as.grid.sql('t', bound);
    const columns = [...STEP, 'avg(t - b)', 'varPopStable(t - b)'];
    const each = `SELECT d, s, f, t, v, ${start} AS b FROM (${this.#each(lines, bound, this.#as.span)})`;
    const told = tallies(await this.#byBucket(lines, columns, each, bound));
    return { tallies: told, settled: null, near: null };
  }

  /** What is told of buckets that are remembered and of the values beside them; null where none are, or they no longer hold. */
  async #remembered(lines: readonly Line[]): Promise<Told | null> {
    const { grid, span } = this.#as;
    const of = this.#rows.hoursOf(valuesOf(lines));
    const key = of && bucketsKey(of, lines, grid);
    const whole = wholeBuckets(span, grid);
    const settled = key && this.#hours?.recent.find(key);
    if (!of || !key || !whole || !settled || !this.#hours?.isFor(span)) return null;
    const part = { from: Math.max(whole.from, settled.span.from), to: Math.min(whole.to, settled.span.to) };
    if (part.from > whole.from || part.to - part.from < (span.to - span.from) / 2) return null;
    const beside = async () => {
      const near = settled.isAmongMany ? null : await this.#near(lines, part);
      settled.isAmongMany = near === null;
      return { near, told: near ? near.told : tallies(await this.#valuesBeside(lines, part)) };
    };
    const [found, { near, told }] = await Promise.all([this.#look(lines, of), beside()]);
    if (!this.#hours.isStill(settled.stamp, part, found)) {
      this.#hours.recent.forget(key);
      return null;
    }
    const together = settled.tallies.map((one, i) => [
      ...(told[i] ?? []).filter(({ at }) => at < part.from),
      ...one.filter(({ at }) => at >= part.from && at < part.to),
      ...(told[i] ?? []).filter(({ at }) => at >= part.to),
    ]);
    return { tallies: together, settled: { ...settled, span: part }, near };
  }

  /**
   * The values of the span that lie outside of a part of it, and of the first and the last bucket of that: beside them stands what is
   * weighed. Null where there are many.
   */
  async #near(lines: readonly Line[], part: Span): Promise<(Near & { told: Tally[][] }) | null> {
    const { grid, span } = this.#as;
    const inner = { from: grid.endOf(part.from), to: grid.startOf(part.to - 1) };
    const most = Math.floor(NEAR_VALUES / lines.length);
    const more = (bound: Bound) => unkeptSql({ kept: inner, stale: [] }, span, bound) ?? '1';
    const values = (await this.#values(lines, { most: most + 1, more })) as [List, List][];
    if (values.some(([times]) => times.length > most)) return null;
    const covered = [
      { from: Number.NEGATIVE_INFINITY, to: inner.from },
      { from: inner.to, to: Number.POSITIVE_INFINITY },
    ];
    return { covered, values, told: values.map((lists) => tallyValues(lists, covered, grid)) };
  }

  #remember(lines: readonly Line[], told: readonly Tally[][], found: KeptHours): Settled | null {
    const { grid } = this.#as;
    const key = bucketsKey(found.of, lines, grid);
    const part = this.#hours?.settledOf(found);
    const span = part && wholeBuckets(part, grid);
    if (!key || !span) return null;
    const settled = {
      stamp: found.stamp,
      span,
      tallies: told.map((one) => one.filter(({ at }) => at >= span.from && at < span.to)),
      weighed: lines.map(() => new Map<string, readonly Bucket[]>()),
      isAmongMany: false,
    };
    this.#hours?.recent.hold(key, settled);
    return settled;
  }

  #look(lines: readonly Line[], of: HoursOf): Promise<KeptHours | null> | null {
    const streams = { devices: devicesOf(lines), sources: sourcesOf(lines) };
    return this.#hours?.look(of, streams, this.#as.span, this.#signal) ?? null;
  }

  /**
   * What is read from kept hours, with what the look found; null where buckets begin within an hour, or none are kept. Hours are
   * read beside the look where it can be guessed: that takes two thirds of the time.
   */
  async #kept<T>(
    lines: readonly Line[],
    read: (kept: KeptHours) => Promise<T>,
  ): Promise<{ answer: T; found: KeptHours } | null> {
    const of = this.#as.grid.isOfHours ? this.#rows.hoursOf(valuesOf(lines)) : null;
    if (!of || !this.#hours) return null;
    const guess = this.#hours.guess(of, this.#as.span);
    const [found, guessed] = await Promise.all([this.#look(lines, of), guess && read(guess)]);
    if (guess && guessed && found && this.#hours.bearsOut(guess, found)) return { answer: guessed, found };
    return found && { answer: await read(found), found };
  }

  /** What is told of the values of the span that lie outside of a part of it. */
  async #valuesBeside(lines: readonly Line[], part: Span): Promise<List[][]> {
    const bound = new Bound();
    const rest = unkeptSql({ kept: part, stale: [] }, this.#as.span, bound);
    if (rest === null) return lines.map(() => HOURLY.tally.map(() => new Float64Array(0)));
    const values = fromValues(this.#each(lines, bound, this.#as.span, rest), this.#as.grid, bound);
    return this.#byBucket(lines, HOURLY.tally, values, bound);
  }

  /** What `columns` make of each bucket, from kept hours as far as they go and from the values beside them. */
  #hourly(lines: readonly Line[], kept: KeptHours, columns: readonly string[]): Promise<List[][]> {
    const bound = new Bound();
    return this.#byBucket(lines, columns, this.#hourRows(lines, kept, this.#as.span, bound), bound);
  }

  #hourRows(lines: readonly Line[], kept: KeptHours, span: Span, bound: Bound): string {
    const { grid } = this.#as;
    const streams = {
      devices: bound.add(devicesOf(lines), 'Array(UUID)'),
      sources: bound.add(sourcesOf(lines), 'Array(String)'),
    };
    const hours = fromHours(kept, streams, placesOf(lines, bound), grid, bound);
    const rest = unkeptSql(kept, span, bound);
    return rest === null
      ? hours
      : `${hours} UNION ALL ${fromValues(this.#each(lines, bound, span, rest), grid, bound)}`;
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
    if (of === 'difference') return this.#counted(lines);
    const column = Object.hasOwn(HOURLY, of) ? (HOURLY[of as keyof typeof HOURLY] as string) : null;
    const kept =
      column === null ? null : await this.#kept(lines, (hours) => this.#hourly(lines, hours, ['b', column]));
    if (kept) return pairs(kept.answer);
    const bound = new Bound();
    const from = this.#each(lines, bound, this.#as.span);
    const values = `SELECT *, ${this.#as.grid.sql('t', bound)} AS b FROM (${from})`;
    return pairs(await this.#byBucket(lines, ['b', AGGREGATES[of]], values, bound));
  }

  /** Each bucket with what a counter counted in it. Kept hours tell of those that never fall; of others the readings are read. */
  async #counted(lines: readonly Line[]): Promise<(readonly [at: number, value: number])[][]> {
    const kept = (await this.#kept(lines, (hours) => this.#hourReadings(lines, hours)))?.answer;
    const others = lines.filter((_, i) => !kept?.[i]);
    const read = others.length > 0 ? await this.#condensed(others) : [];
    const readings = lines.map((line, i) => kept?.[i] ?? read[others.indexOf(line)] ?? []);
    const { from, to } = this.#as.span;
    const [earlier, later] = await Promise.all([
      this.#nearest(lines, { from: from - BESIDE_MS - FAR_MS, to: from - BESIDE_MS }, (i) => {
        return (readings[i]?.[0]?.at ?? Number.POSITIVE_INFINITY) > from;
      }),
      this.#nearest(lines, { from: to + BESIDE_MS, to: to + BESIDE_MS + FAR_MS }, (i) => {
        return (readings[i]?.at(-1)?.at ?? Number.NEGATIVE_INFINITY) < to;
      }),
    ]);
    return lines.map((line, i) =>
      this.#gainsOf([
        ...(earlier.get(line) ?? []),
        ...(readings[i] as CounterReading[]),
        ...(later.get(line) ?? []),
      ]),
    );
  }

  #gainsOf(readings: readonly CounterReading[]): (readonly [at: number, value: number])[] {
    const { span, grid } = this.#as;
    const { gains } = countGains(readings, { usualMs: Number.POSITIVE_INFINITY });
    const from = Math.max(span.from, gains[0]?.from ?? Number.POSITIVE_INFINITY);
    const to = Math.min(span.to, gains.at(-1)?.to ?? Number.NEGATIVE_INFINITY);
    const starts: number[] = [];
    for (let at = from; at < to; at = grid.endOf(grid.startOf(at))) starts.push(at);
    return shareByIntervals({ gains, gaps: [] }, [...starts, to]).flatMap(({ amount }, i) =>
      amount === null ? [] : [[grid.startOf(starts[i] as number), amount] as const],
    );
  }

  /** The span, and a day at either side: what was counted at its ends lies between two readings. */
  get #beside(): Span {
    const { from, to } = this.#as.span;
    return { from: from - BESIDE_MS, to: to + BESIDE_MS };
  }

  /** Of lines that lack a reading on one side of the span those of a day around the nearest one there, which lies in `far`. */
  async #nearest(
    lines: readonly Line[],
    far: Span,
    lacks: (line: number) => boolean,
  ): Promise<Map<Line, CounterReading[]>> {
    const some = lines.filter((_, i) => lacks(i));
    if (some.length === 0 || far.from > Date.now()) return new Map();
    const isEarlier = far.to <= this.#as.span.from;
    const bound = new Bound();
    const nearest = `SELECT d, s, f, toFloat64(${isEarlier ? 'max' : 'min'}(t)) AS c0
      FROM (${this.#each(some, bound, far)}) GROUP BY d, s, f ORDER BY d, s, f`;
    const days = (await this.#columns(some, 1, nearest, bound)).flatMap(([found], i) => {
      const at = found?.[0];
      if (at === undefined) return [];
      const day = isEarlier ? { from: at - BESIDE_MS + 1, to: at + 1 } : { from: at, to: at + BESIDE_MS };
      return [{ line: some[i] as Line, ...day }];
    });
    if (days.length === 0) return new Map();
    const all = {
      from: Math.min(...days.map((day) => day.from)),
      to: Math.max(...days.map((day) => day.to)),
    };
    const read = await this.#condensed(
      days.map(({ line }) => line),
      all,
    );
    return new Map(
      days.map(({ line, from, to }, i) => {
        const within = read[i]?.filter(({ at }) => at >= from && at < to) ?? [];
        // What was left out before the first one lies outside.
        return [line, within.map((one, k) => (k > 0 ? one : { at: one.at, value: one.value }))];
      }),
    );
  }

  /** The readings that decide, of the span and of what lies beside it, or of another time. */
  async #condensed(lines: readonly Line[], other?: Span): Promise<CounterReading[][]> {
    const bound = new Bound();
    const { grid, span } = this.#as;
    const [from, to] = [bound.add(span.from, 'Int64'), bound.add(span.to, 'Int64')];
    const piece = other ? '0.' : `multiIf(t < ${from}, -1., t >= ${to}, 9e15, ${grid.sql('t', bound)})`;
    const each = this.#each(lines, bound, other ?? this.#beside);
    const values = `SELECT d, s AS source, f, t, msg_id, v, ${piece} AS piece FROM (${each})`;
    const sql = `SELECT d, source AS s, f, toFloat64(at) AS c0, value AS c1, toFloat64(skipped) AS c2
      FROM (${condensedSql(values)}) ARRAY JOIN kt AS at, kv AS value, kl AS skipped ORDER BY d, s, f, at`;
    const answers = await this.#columns(lines, 3, sql, bound);
    return answers.map(([at, value, left]) =>
      Array.from(at ?? [], (ms, i): CounterReading => {
        const skipped = left?.[i] ?? 0;
        return { at: ms, value: value?.[i] ?? 0, ...(skipped > 0 ? { left: skipped } : {}) };
      }),
    );
  }

  /** The first and the last reading of each hour; null for lines that fall, begin at zero, or of which that is not known. */
  async #hourReadings(lines: readonly Line[], kept: KeptHours): Promise<(CounterReading[] | null)[]> {
    const bound = new Bound();
    const rows = this.#hourRows(lines, kept, this.#beside, bound);
    const sql = `SELECT d, s, f, ft AS c0, fv AS c1, lt AS c2, lv AS c3, n AS c4, falls AS c5
      FROM (${rows}) ORDER BY d, s, f, ft, m`;
    const answers = await this.#columns(lines, 6, sql, bound);
    return answers.map((lists) => {
      const [ft, fv, lt, lv, n, falls] = lists as [List, List, List, List, List, List];
      const readings: CounterReading[] = [];
      for (let i = 0; i < ft.length; i++) {
        const first = fv[i] as number;
        if (falls[i] !== 0 || first <= 0 || first < (readings.at(-1)?.value ?? first)) return null;
        readings.push({ at: ft[i] as number, value: first });
        const left = (n[i] as number) - 2;
        if (left < 0) continue;
        readings.push({ at: lt[i] as number, value: lv[i] as number, ...(left > 0 ? { left } : {}) });
      }
      return readings;
    });
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
    return pairs(await this.#values(lines, { most }));
  }

  /** The times and the values of each line, of those only for which `more` is true. */
  #values(
    lines: readonly Line[],
    { most, more }: { most?: number | undefined; more?: (bound: Bound) => string },
  ): Promise<List[][]> {
    const bound = new Bound();
    const limit = most === undefined ? '' : `LIMIT ${bound.add(most, 'UInt32')} BY d, s, f`;
    const each = this.#each(lines, bound, this.#as.span, more?.(bound));
    const values = `SELECT d, s, f, toFloat64(t) AS c0, v AS c1 FROM (${each}) ORDER BY d, s, f, t, msg_id ${limit}`;
    // The numbers of streams are in no order that the store has; to plan for one took a quarter of the time.
    return this.#columns(lines, 2, values, bound, { optimize_read_in_order: 0 });
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
  async #columns(
    lines: readonly Line[],
    count: number,
    sql: string,
    bound: Bound,
    settings: Settings = {},
  ): Promise<List[][]> {
    const [devices, sources] = [devicesOf(lines), sourcesOf(lines)];
    const columns = [
      ...['toUInt32(d)', 'toUInt32(s)', 'toUInt32(f)'],
      ...Array.from({ length: count }, (_, i) => `c${i}`),
    ];
    const types = columns.map((_, i) => (i < 3 ? ('UInt32' as const) : ('Float64' as const)));
    const limits = { max_rows_to_group_by: BUCKETS, max_result_rows: 0, ...settings };
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

const nameOf = ({ from, to }: Span): string => `${from} ${to}`;

const countIn = (tallies: readonly Tally[], spans: readonly Span[]): number =>
  tallies.reduce((sum, { at, n }) => sum + (spans.some(({ from, to }) => at >= from && at < to) ? n : 0), 0);

const lengthOf = (spans: readonly Span[]): number => spans.reduce((sum, { from, to }) => sum + to - from, 0);

/** Days since 1970 that spans touch, UTC. */
const daysOf = (spans: readonly Span[]): number[] => [
  ...new Set(
    spans.flatMap(({ from, to }) => {
      const first = Math.floor(from / DAY_MS);
      return Array.from({ length: Math.ceil(to / DAY_MS) - first }, (_, i) => first + i);
    }),
  ),
];

const AGGREGATES: Record<Exclude<SeriesFunction, 'average' | 'difference'>, string> = {
  min: 'min(v)',
  max: 'max(v)',
  sum: 'sum(v)',
  count: 'toFloat64(count())',
  first: 'argMin(v, (t, msg_id))',
  last: 'argMax(v, (t, msg_id))',
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
