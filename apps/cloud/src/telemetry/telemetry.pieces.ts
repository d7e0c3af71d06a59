import type { ClickHouse } from '@albedo/clickhouse/client';
import type { DeviceScope } from '../access/device-scope.ts';
import { AppError } from '../errors/app-error.ts';
import type { TableFields } from './telemetry.catalog.ts';
import { Bound, slotExpression } from './telemetry.columns.ts';
import { EVENTS, reading } from './telemetry.reading.ts';
import { scopeFilter } from './telemetry.scope.ts';

/** A source of a device that has sent something to a table. */
export interface StreamOf {
  device: string;
  source: string;
}

/**
 * Windows that end at `start`, `start + stepMs`, … up to `end` and are `rangeMs` long, without their beginning and with
 * their end. Epoch ms.
 */
export interface Windows {
  start: number;
  end: number;
  stepMs: number;
  rangeMs: number;
}

export interface PiecesQuery extends Windows {
  table: string;
  /** Numeric fields of the table. */
  fields: readonly string[];
  /** Those of the streams that are asked for. */
  streams: readonly StreamOf[];
  /** What costs more than the figures that every piece has. */
  more?: 'values' | 'regression' | undefined;
}

/** Values that one question may bring one by one. */
const VALUES_LIMIT = 2_000_000;

/**
 * What a stream measured between two instants at which a window begins or ends; every window is made of whole pieces.
 * `increase` adds up what a counter counted since the value before, which may lie in an earlier piece; `ofFirst` is the
 * part of it that the first value of the piece brought.
 */
export interface Piece {
  at: number;
  count: number;
  sum: number;
  min: number;
  max: number;
  firstAt: number;
  first: number;
  lastAt: number;
  last: number;
  increase: number;
  ofFirst: number;
  variance: number;
  /** How often a value differs from the one before, and how often it is less; with the part that the first one brought. */
  changes: number;
  changesOfFirst: number;
  resets: number;
  resetsOfFirst: number;
  /** Where `values` are asked for, in no order. */
  values?: readonly number[];
  /** Where a `regression` is: mean of the times after `start` and their variance (s), and covariance with the values. */
  line?: { meanS: number; variance: number; covariance: number };
}

export interface StreamPieces extends StreamOf {
  field: string;
  pieces: Piece[];
}

/** The number of the piece that an instant lies in: two to a step, the second one from where windows begin. */
export function pieceOf(at: number, { start, stepMs, rangeMs }: Windows): number {
  const step = Math.ceil((at - start) / stepMs);
  const into = at - start - (step - 1) * stepMs;
  const rest = rangeMs % stepMs;
  return 2 * step + (rest > 0 && into > stepMs - rest ? 1 : 0);
}

type Row = [string, string, number, number[], number[] | null];

/** The pieces of some streams, oldest first. */
export async function readPieces(
  of: { clickhouse: ClickHouse; workgroup: string; devices: DeviceScope; fields: TableFields },
  query: PiecesQuery,
  signal?: AbortSignal,
): Promise<StreamPieces[]> {
  const { table, streams, start, end, stepMs, rangeMs } = query;
  const slots = query.fields.flatMap((name) => of.fields.n.get(name) ?? []);
  if (slots.length === 0 || streams.length === 0) return [];
  const bound = new Bound();
  const values = slots.map((slot, i) => `(${i}, ${slotExpression(slot, bound)})`);
  const step = bound.add(stepMs, 'Int64');
  const origin = bound.add(start, 'Int64');
  const rest = rangeMs % stepMs;
  const x = `(toUnixTimestamp64Milli(event_time) - ${origin})`;
  const at = `toInt64(ceil(${x} / ${step}))`;
  const piece =
    rest > 0
      ? `2 * ${at} + (${x} - (${at} - 1) * ${step} > ${bound.add(stepMs - rest, 'Int64')})`
      : `2 * ${at}`;
  const measured = `FROM ${EVENTS} ARRAY JOIN [${values.join(', ')}] AS one
        WHERE workgroup = ${bound.add(of.workgroup, 'String')} AND tbl = ${bound.add(table, 'String')}
          AND device IN ${bound.add([...new Set(streams.map(({ device }) => device))], 'Array(UUID)')}
          AND source IN ${bound.add([...new Set(streams.map(({ source }) => source))], 'Array(String)')}
          AND ${scopeFilter(of.devices, bound)}
          AND event_time > fromUnixTimestamp64Milli(${bound.add(start - rangeMs, 'Int64')}, 'UTC')
          AND event_time <= fromUnixTimestamp64Milli(${bound.add(end, 'Int64')}, 'UTC')
          AND isNotNull(one.2)`;
  if (query.more === 'values') {
    const [row] = await of.clickhouse.queryRows<[string]>(
      `SELECT count() ${measured}`,
      reading(bound, signal),
    );
    if (Number(row?.[0]) > VALUES_LIMIT)
      throw new AppError('search.too_much', { reason: 'too many values to look at one by one' });
  }
  // Within the step, so that sums of squares keep their digits.
  const into = `(${x} - (${at} - 1) * ${step}) / 1000.`;
  const more = query.more === undefined ? 'NULL' : MORE[query.more];
  const sql = `SELECT toString(d), source, f, [toFloat64(b), toFloat64(count()), sum(v), min(v), max(v),
      toFloat64(min(ms)), argMin(v, (ms, msg_id)), toFloat64(max(ms)), argMax(v, (ms, msg_id)),
      sum(inc), argMin(inc, (ms, msg_id)), varPop(v), toFloat64(sum(differs)), toFloat64(argMin(differs, (ms, msg_id))),
      toFloat64(sum(falls)), toFloat64(argMin(falls, (ms, msg_id)))], ${more}
    FROM (
      SELECT d, source, f, b, ms, msg_id, v, x,
        multiIf(isNull(before), 0., v >= assumeNotNull(before), v - assumeNotNull(before), v) AS inc,
        ifNull(v != before, 0) AS differs, ifNull(v < before, 0) AS falls
      FROM (
        SELECT device AS d, source, one.1 AS f, ${piece} AS b, toUnixTimestamp64Milli(event_time) AS ms, msg_id,
          assumeNotNull(one.2) AS v, ${into} AS x,
          lagInFrame(toNullable(v)) OVER (PARTITION BY device, source, one.1 ORDER BY event_time, msg_id
            ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS before
        ${measured}))
    GROUP BY d, source, f, b ORDER BY d, source, f, b`;
  const rows = await of.clickhouse.queryRows<Row>(sql, reading(bound, signal));
  const asked = new Set(streams.map(({ device, source }) => `${device}\n${source}`));
  const found = new Map<string, StreamPieces>();
  for (const [device, source, f, figures, more] of rows) {
    if (!asked.has(`${device}\n${source}`)) continue;
    const key = `${device}\n${source}\n${f}`;
    const stream = found.get(key) ?? { device, source, field: slots[f]?.field ?? '', pieces: [] };
    found.set(key, stream);
    stream.pieces.push(pieceFrom(figures, more, query));
  }
  return [...found.values()];
}

/** What is asked for besides the figures. */
const MORE = {
  values: 'groupArray(v)',
  regression: '[avg(x), varPopStable(x), covarPopStable(x, v)]',
} as const;

function pieceFrom(figures: number[], more: number[] | null, { more: wanted, stepMs }: PiecesQuery): Piece {
  const figure = (place: number): number => figures[place] as number;
  const piece: Piece = {
    at: figure(0),
    count: figure(1),
    sum: figure(2),
    min: figure(3),
    max: figure(4),
    firstAt: figure(5),
    first: figure(6),
    lastAt: figure(7),
    last: figure(8),
    increase: figure(9),
    ofFirst: figure(10),
    variance: figure(11),
    changes: figure(12),
    changesOfFirst: figure(13),
    resets: figure(14),
    resetsOfFirst: figure(15),
  };
  if (more === null) return piece;
  if (wanted === 'values') return { ...piece, values: more };
  const [into = 0, variance = 0, covariance = 0] = more;
  const meanS = into + ((Math.floor(piece.at / 2) - 1) * stepMs) / 1000;
  return { ...piece, line: { meanS, variance, covariance } };
}

/** The streams of a table that the scope has, with the numeric fields that the newest event of each has. */
export async function readStreams(
  of: { clickhouse: ClickHouse; workgroup: string; devices: DeviceScope; fields: TableFields },
  table: string,
  signal?: AbortSignal,
): Promise<(StreamOf & { fields: string[] })[]> {
  const bound = new Bound();
  const slots = [...of.fields.n.values()].filter(({ field }) => field !== '');
  const has = slots.map((slot) => `isNotNull(${slotExpression(slot, bound)})`);
  const sql = `SELECT toString(device), source, [${has.join(', ')}]
    FROM telemetry.latest FINAL
    WHERE workgroup = ${bound.add(of.workgroup, 'String')} AND tbl = ${bound.add(table, 'String')}
      AND ${scopeFilter(of.devices, bound)}
    ORDER BY device, source`;
  const rows = await of.clickhouse.queryRows<[string, string, number[]]>(sql, reading(bound, signal));
  return rows.map(([device, source, flags]) => ({
    device,
    source,
    fields: slots.filter((_slot, i) => flags[i] === 1).map(({ field }) => field),
  }));
}
