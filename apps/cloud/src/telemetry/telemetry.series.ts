import type { ClickHouse } from '@albedo/clickhouse/client';
import type { SeriesKey, SeriesPoints, SeriesQuery } from '@albedo/contract/telemetry/telemetry.schema';
import { AppError } from '../errors/app-error.ts';
import type { TableFields } from './telemetry.catalog.ts';
import { Bound, slotExpression } from './telemetry.columns.ts';
import { EVENTS, reading } from './telemetry.reading.ts';

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

/** A pause of more than so many steps that are usual around it is a gap. */
const GAP_STEPS = 3;
/** Pauses on each side that say what is usual there: one range may hold 5-minute history and 5-second live data. */
const AROUND = 5;

/** One bucket: its number, how many values, min, avg, max, time of the first and of the last value. */
type Bucket = [at: number, n: number, min: number, avg: number, max: number, first: number, last: number];

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
  const points = query.series.map(() => emptyPoints(0));
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
    const isFew = buckets.map((one) => one.reduce((sum, [, n]) => sum + n, 0) <= this.#query.maxPoints);
    const few = keys.filter((_, i) => isFew[i] && buckets[i]?.some(([, n]) => n > 1));
    const raw = few.length > 0 ? await this.#raw(few) : [];
    return keys.map((key, i) => {
      const thinned = buckets[i] ?? [];
      if (!isFew[i]) return bucketPoints(thinned, stepMs);
      const values =
        raw[few.indexOf(key)] ?? thinned.map(([, , , avg, , first]) => [first, avg] as [number, number]);
      return rawPoints(values);
    });
  }

  /** Which events: the streams of the keys in the range. */
  #where(keys: readonly SeriesKey[], bound: Bound): string {
    const { from, to } = this.#query;
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

  async #buckets(keys: readonly SeriesKey[], stepMs: number): Promise<Bucket[][]> {
    const bound = new Bound();
    const fields = [...new Set(keys.map(({ field }) => field))];
    const ms = 'toUnixTimestamp64Milli(event_time)';
    const values = fields.flatMap((field) => {
      const value = this.#expression(field, bound);
      const times = `toFloat64(minIf(${ms}, isNotNull(${value}))), toFloat64(maxIf(${ms}, isNotNull(${value})))`;
      return [`toFloat64(count(${value})), min(${value}), avg(${value}), max(${value}), ${times}`];
    });
    const sql = `SELECT toString(device) AS d, source, toFloat64(intDiv(${ms}, ${bound.add(stepMs, 'Int64')})) AS b,
        ${values.join(', ')}
      FROM ${EVENTS} WHERE ${this.#where(keys, bound)} GROUP BY device, source, b ORDER BY b`;
    const rows = await this.#clickhouse.queryRows<[string, string, number, ...number[]]>(
      sql,
      reading(bound, this.#signal),
    );
    return this.#spread(keys, rows, (key, row) => {
      const at = 3 + 6 * fields.indexOf(key.field);
      const n = row[at] as number;
      return n > 0 ? ([row[2] * stepMs, n, ...row.slice(at + 1, at + 6)] as unknown as Bucket) : null;
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

const emptyPoints = (stepMs: number): SeriesPoints => ({ stepMs, times: [], min: [], avg: [], max: [] });

function add(points: SeriesPoints, at: number, min: number | null, avg: number | null, max: number | null) {
  points.times.push(at);
  points.min.push(min);
  points.avg.push(avg);
  points.max.push(max);
}

/** Every value is a point; two values of one instant become one. */
function rawPoints(values: readonly (readonly [at: number, value: number])[]): SeriesPoints {
  const points = emptyPoints(0);
  const last = new Map(values);
  const times = [...last.keys()];
  const isGap = gapsIn(times.slice(1).map((at, i) => at - (times[i] as number)));
  times.forEach((at, i) => {
    const before = times[i - 1];
    if (before !== undefined && isGap[i - 1]) add(points, Math.round((before + at) / 2), null, null, null);
    const value = last.get(at) as number;
    add(points, at, value, value, value);
  });
  return points;
}

function bucketPoints(buckets: readonly Bucket[], stepMs: number): SeriesPoints {
  const points = emptyPoints(stepMs);
  const pauses = buckets.slice(1).map(([, , , , , first], i) => first - (buckets[i] as Bucket)[6]);
  const isGap = gapsIn(pauses);
  buckets.forEach(([at, , min, avg, max], i) => {
    const before = buckets[i - 1]?.[0];
    // Only where at least one bucket is empty: within two neighbours a pause is no wider than what one point shows.
    if (before !== undefined && isGap[i - 1] && at - before > stepMs)
      add(points, before + stepMs, null, null, null);
    add(points, at, min, avg, max);
  });
  return points;
}

/** Which of these pauses are longer than what is usual on either side of them. A lone pause is none. */
function gapsIn(pauses: readonly number[]): boolean[] {
  return pauses.map((pause, i) => {
    const before = median(pauses.slice(Math.max(0, i - AROUND), i));
    const after = median(pauses.slice(i + 1, i + 1 + AROUND));
    const usual = Math.max(before, after);
    return usual > 0 && pause > GAP_STEPS * usual;
  });
}

/** 0 for nothing. */
function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
