import type { ClickHouse } from '@albedo/clickhouse/client';
import type { SeriesKey, SeriesPoints, SeriesQuery } from '@albedo/contract/telemetry/telemetry.schema';
import { AppError } from '../errors/app-error.ts';
import type { TableFields } from './telemetry.catalog.ts';
import { Bound, slotExpression } from './telemetry.columns.ts';
import { EVENTS, isTooMuch, reading } from './telemetry.reading.ts';
import {
  type Bucket,
  bucketPoints,
  joined,
  noPoints,
  rawPoints,
  statsOf,
  type Tally,
  weigh,
} from './telemetry.series-points.ts';
import { weightedValues } from './telemetry.weights.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Widths of buckets: they divide the day, so that zooming does not move their edges. */
const STEPS = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 3, 5, 10, 15, 20, 30].map((n) => n * SECOND),
  ...[1, 2, 3, 4, 5, 6, 10, 15, 20, 30].map((n) => n * MINUTE),
  ...[1, 1.5, 2, 3, 4, 6, 8, 12].map((n) => n * HOUR),
  ...[1, 2, 3, 5, 7, 10, 14, 30, 60, 90, 180, 365].map((n) => n * DAY),
];

type TallyRow = [
  ...values: [n: number, min: number, mean: number, max: number],
  ...times: [first: number, last: number, lastValue: number, within: number, variance: number],
];
const TALLY_COLUMNS = 9;

type BucketRow = [
  ...stream: [device: string, source: string],
  ...of: [field: number, at: number],
  ...values: [n: number, min: number, mean: number, max: number],
  ...times: [first: number, last: number],
  ...weights: [lastValue: number, area: number, ms: number, isGapAfter: 0 | 1],
];

type Span = Pick<SeriesQuery, 'from' | 'to'>;

/** The fields of a table, null where there is no such table; one that is named is looked for thoroughly. */
export type FindFields = (table: string, field?: string) => Promise<TableFields | null>;

/**
 * Points of several series in the order in which they were asked for.
 *
 * Where a range holds more values than `maxPoints`, they are thinned to min, avg and max of equal buckets, otherwise
 * every value is a point. Series that are not to be seen (`sees`) are as empty as those of no device. Throws `table.not_found`, `table.field_unknown`.
 */
export async function readSeries(
  clickhouse: ClickHouse,
  find: FindFields,
  sees: (key: SeriesKey) => boolean,
  workgroup: string,
  query: SeriesQuery,
  signal: AbortSignal | undefined,
): Promise<SeriesPoints[]> {
  const points = query.series.map(() => noPoints());
  const tables = new Map<string, number[]>();
  query.series.forEach(({ table }, i) => {
    tables.set(table, [...(tables.get(table) ?? []), i]);
  });
  await Promise.all(
    [...tables].map(async ([table, places]) => {
      const fields = await fieldsOf(find, table, query, places);
      const read = new TableRead(clickhouse, workgroup, table, fields, query, signal);
      const visible = places.filter((i) => sees(query.series[i] as SeriesKey));
      const keys = visible.map((i) => query.series[i] as SeriesKey);
      (await read.points(keys)).forEach((one, i) => {
        points[visible[i] as number] = one;
      });
    }),
  );
  return points;
}

async function fieldsOf(
  find: FindFields,
  table: string,
  query: SeriesQuery,
  places: number[],
): Promise<TableFields> {
  let fields = await find(table);
  for (const i of places) {
    const { field } = query.series[i] as SeriesKey;
    fields = await find(table, field);
    if (!fields) throw new AppError('table.not_found', { table });
    if (!fields.n.has(field)) throw new AppError('table.field_unknown', { table, field });
  }
  if (!fields) throw new AppError('table.not_found', { table });
  return fields;
}

class TableRead {
  readonly #clickhouse: ClickHouse;
  readonly #workgroup: string;
  readonly #table: string;
  readonly #fields: TableFields;
  readonly #query: SeriesQuery;
  readonly #signal: AbortSignal | undefined;

  constructor(
    clickhouse: ClickHouse,
    workgroup: string,
    table: string,
    fields: TableFields,
    query: SeriesQuery,
    signal: AbortSignal | undefined,
  ) {
    this.#clickhouse = clickhouse;
    this.#workgroup = workgroup;
    this.#table = table;
    this.#fields = fields;
    this.#query = query;
    this.#signal = signal;
  }

  async points(keys: readonly SeriesKey[]): Promise<SeriesPoints[]> {
    if (keys.length === 0) return [];
    const stepMs = stepOf(this.#query);
    const buckets = await this.#buckets(keys, stepMs);
    const isFew = buckets.map((one) => one.reduce((sum, { n }) => sum + n, 0) <= this.#query.maxPoints);
    const few = keys.filter((_, i) => isFew[i] && buckets[i]?.some(({ n }) => n > 1));
    const raw = few.length > 0 ? await this.#raw(few) : [];
    return keys.map((key, i) => {
      const thinned = buckets[i] ?? [];
      const points = isFew[i]
        ? rawPoints(raw[few.indexOf(key)] ?? thinned.map(({ first, last }) => [first, last.value] as const))
        : bucketPoints(thinned, stepMs);
      return { ...points, stats: statsOf(thinned) };
    });
  }

  /** Which events: the streams of the keys in the range. */
  #where(keys: readonly SeriesKey[], bound: Bound, { from, to }: Span = this.#query): string {
    const distinct = (pick: (key: SeriesKey) => string) => [...new Set(keys.map(pick))];
    return `workgroup = ${bound.add(this.#workgroup, 'String')} AND tbl = ${bound.add(this.#table, 'String')}
      AND device IN ${bound.add(
        distinct(({ device }) => device),
        'Array(UUID)',
      )}
      AND source IN ${bound.add(
        distinct(({ source }) => source),
        'Array(String)',
      )}
      AND event_time >= fromUnixTimestamp64Milli(${bound.add(from, 'Int64')}, 'UTC')
      AND event_time < fromUnixTimestamp64Milli(${bound.add(to, 'Int64')}, 'UTC')`;
  }

  /**
   * The buckets of each key's stream. What comes at a steady pace is weighed by what its buckets tell; of other streams
   * every single value has to be looked at.
   */
  async #buckets(keys: readonly SeriesKey[], stepMs: number): Promise<Bucket[][]> {
    const steady = (await this.#tallies(keys, stepMs)).map(weigh);
    const others = keys.filter((_, i) => steady[i] === null);
    const weighed = others.length > 0 ? await this.#weighed(others, stepMs, this.#query) : [];
    return keys.map((key, i) => steady[i] ?? weighed[others.indexOf(key)] ?? []);
  }

  async #tallies(keys: readonly SeriesKey[], stepMs: number): Promise<Tally[][]> {
    const bound = new Bound();
    const fields = [...new Set(keys.map(({ field }) => field))];
    const ms = 'toUnixTimestamp64Milli(event_time)';
    const values = fields.map((field) => {
      const value = this.#expression(field, bound);
      const times = `toFloat64(minIf(${ms}, isNotNull(${value}))), toFloat64(maxIf(${ms}, isNotNull(${value})))`;
      const within = `(toFloat64(${ms} % ${bound.add(stepMs, 'Int64')}), isNotNull(${value}))`;
      const spread = `avgIf${within}, varPopStableIf${within}`;
      return `toFloat64(count(${value})), min(${value}), avg(${value}), max(${value}), ${times}, argMax(${value}, event_time), ${spread}`;
    });
    const sql = `SELECT toString(device) AS d, source, toFloat64(intDiv(${ms}, ${bound.add(stepMs, 'Int64')})) AS b,
        ${values.join(', ')}
      FROM ${EVENTS} WHERE ${this.#where(keys, bound)} GROUP BY device, source, b ORDER BY b`;
    const rows = await this.#clickhouse.queryRows<[string, string, number, ...number[]]>(
      sql,
      reading(bound, this.#signal),
    );
    return this.#spread(keys, rows, (key, row) => {
      const from = 3 + TALLY_COLUMNS * fields.indexOf(key.field);
      const [n, min, mean, max, first, last, value, within, variance] = row.slice(
        from,
        from + TALLY_COLUMNS,
      ) as TallyRow;
      if (n === 0) return null;
      const at = row[2] * stepMs;
      return { at, n, min, mean, max, first, last: { at: last, value }, middle: at + within, variance };
    });
  }

  /** What is too much for one question is asked in halves. */
  async #weighed(keys: readonly SeriesKey[], stepMs: number, span: Span): Promise<Bucket[][]> {
    try {
      return await this.#bucketsOf(keys, stepMs, span);
    } catch (error) {
      const middle = Math.round((span.from + span.to) / 2 / stepMs) * stepMs;
      if (!isTooMuch(error) || middle <= span.from || middle >= span.to) throw error;
      const earlier = await this.#weighed(keys, stepMs, { from: span.from, to: middle });
      const later = await this.#weighed(keys, stepMs, { from: middle, to: span.to });
      return earlier.map((buckets, i) => joined(buckets, later[i] ?? []));
    }
  }

  async #bucketsOf(keys: readonly SeriesKey[], stepMs: number, span: Span): Promise<Bucket[][]> {
    const bound = new Bound();
    const fields = [...new Set(keys.map(({ field }) => field))];
    const of = fields.map((field, i) => `(${i}, ${this.#expression(field, bound)})`);
    const values = `SELECT device AS d, source, one.1 AS f, toUnixTimestamp64Milli(event_time) AS t, msg_id,
          assumeNotNull(one.2) AS v
        FROM ${EVENTS} ARRAY JOIN [${of.join(', ')}] AS one
        WHERE ${this.#where(keys, bound, span)} AND isNotNull(one.2)`;
    const sql = `SELECT toString(d), source, f, toFloat64(intDiv(t, ${bound.add(stepMs, 'Int64')})) AS b, toFloat64(count()),
        min(v), avg(v), max(v), toFloat64(min(t)), toFloat64(max(t)), argMax(v, t),
        sumIf(v * p, NOT isGap), toFloat64(sumIf(p, NOT isGap)), argMax(isGap, t)
      FROM (${weightedValues(values)}) GROUP BY d, source, f, b ORDER BY b`;
    const rows = await this.#clickhouse.queryRows<BucketRow>(sql, reading(bound, this.#signal));
    return this.#spread(keys, rows, (key, row) => {
      const [, , field, at, n, min, mean, max, first, lastAt, value, area, ms, isGapAfter] = row;
      if (fields[field] !== key.field) return null;
      const last = { at: lastAt, value };
      return { at: at * stepMs, n, min, mean, max, first, last, area, ms, isGapAfter: isGapAfter === 1 };
    });
  }

  async #raw(keys: readonly SeriesKey[]): Promise<[number, number][][]> {
    const bound = new Bound();
    const fields = [...new Set(keys.map(({ field }) => field))];
    const values = fields.map((field) => this.#expression(field, bound));
    const sql = `SELECT toString(device) AS d, source, toFloat64(toUnixTimestamp64Milli(event_time)), ${values.join(', ')}
      FROM ${EVENTS} WHERE ${this.#where(keys, bound)} ORDER BY event_time, msg_id`;
    const rows = await this.#clickhouse.queryRows<[string, string, number, ...(number | null)[]]>(
      sql,
      reading(bound, this.#signal),
    );
    return this.#spread(keys, rows, (key, row) => {
      const value = row[3 + fields.indexOf(key.field)] ?? null;
      return value === null ? null : ([row[2], value] as [number, number]);
    });
  }

  #expression(field: string, bound: Bound): string {
    const slot = this.#fields.n.get(field);
    if (!slot) throw new AppError('table.field_unknown', { table: this.#table, field });
    return slotExpression(slot, bound);
  }

  /** The rows of each key's stream, as `take` reads them. */
  #spread<Row extends readonly [string, string, ...unknown[]], T>(
    keys: readonly SeriesKey[],
    rows: readonly Row[],
    take: (key: SeriesKey, row: Row) => T | null,
  ): T[][] {
    const streams = new Map<string, Row[]>();
    for (const row of rows) {
      const stream = `${row[0]} ${row[1]}`;
      const list = streams.get(stream);
      if (list) list.push(row);
      else streams.set(stream, [row]);
    }
    return keys.map((key) =>
      (streams.get(`${key.device.toLowerCase()} ${key.source}`) ?? [])
        .map((row) => take(key, row))
        .filter((one) => one !== null),
    );
  }
}

function stepOf({ from, to, maxPoints }: SeriesQuery): number {
  const least = (to - from) / maxPoints;
  return STEPS.find((step) => step >= least) ?? Math.ceil(least / DAY) * DAY;
}
