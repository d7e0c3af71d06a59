import { DAY_MS, HOUR_MS, type KeptHours, type StreamDay } from './telemetry.chart-hours.ts';
import type { Bound } from './telemetry.columns.ts';
import type { Grid, Span } from './telemetry.series-grid.ts';

/**
 * What is made of the rows of `fromHours` and `fromValues`. `ft` and `fv` are time and value of the first, `lt` and `lv` of the
 * last; `s1` and `s2` sums of the times since the bucket began and of their squares; `falls` of the values are less than the one before,
 * -1 where that is not known.
 */
export const HOURLY = {
  tally: [
    ...[
      'b',
      'sum(n)',
      'min(low)',
      'sum(total) / sum(n)',
      'max(high)',
      'min(ft)',
      'max(lt)',
      'argMax(lv, lt)',
    ],
    ...['sum(s1) / sum(n)', 'greatest(0., sum(s2) / sum(n) - pow(sum(s1) / sum(n), 2))'],
  ],
  min: 'min(low)',
  max: 'max(high)',
  sum: 'sum(total)',
  count: 'sum(n)',
  first: 'argMin(fv, ft)',
  last: 'argMax(lv, lt)',
} as const;

/** A row for each kept hour that has values, of these streams; `places` are what it says as `d` and `s`. */
export function fromHours(
  { of: { workgroup, table, fields }, kept, stale }: KeptHours,
  { devices, sources }: { devices: string; sources: string },
  places: { d: string; s: string },
  grid: Grid,
  bound: Bound,
): string {
  const names = bound.add(fields, 'Array(String)');
  const fresh =
    stale.length === 0
      ? ''
      : `AND (toDate(toUInt16(intDiv(hour, 24))), device, source) NOT IN ${streamDaysSql(stale, bound)}`;
  const field = fields.length === 1 ? 'toUInt32(0)' : `toUInt32(indexOf(${names}, field) - 1)`;
  // What has the name of a column is made in a step of its own: within one, the engine takes one for the other.
  return `SELECT d, s, f, b, c AS n, total, low, high, ft, lt, fv, lv, shift + c * k AS s1, square + 2 * k * shift + c * k * k AS s2, falls, toUInt64(0) AS m
    FROM (SELECT ${places.d} AS d, ${places.s} AS s, ${field} AS f, toInt64(hour) * ${HOUR_MS} AS h,
        ${grid.sql('h', bound)} AS b, h - b AS k, toFloat64(n) AS c, total, low, high, toFloat64(h + first_at) AS ft,
        toFloat64(h + last_at) AS lt, first AS fv, last AS lv, shift, square, toFloat64(chart_hours.falls) AS falls
      FROM telemetry.chart_hours FINAL
      WHERE workgroup = ${bound.add(workgroup, 'String')} AND tbl = ${bound.add(table, 'String')} AND field IN ${names}
        AND device IN ${devices} AND source IN ${sources} AND n > 0
        AND hour >= ${bound.add(kept.from / HOUR_MS, 'UInt32')} AND hour < ${bound.add(kept.to / HOUR_MS, 'UInt32')} ${fresh})`;
}

/** A row for each value, as `fromHours` has one for each hour. `each` selects `d`, `s`, `f`, `t`, `msg_id` and `v`. */
export function fromValues(each: string, grid: Grid, bound: Bound): string {
  return `SELECT d, s, toUInt32(f) AS f, ${grid.sql('t', bound)} AS b, 1. AS n, toFloat64(v) AS total, total AS low, total AS high,
      toFloat64(t) AS ft, ft AS lt, total AS fv, total AS lv, t - b AS s1, s1 * s1 AS s2, 0. AS falls, toUInt64(msg_id) AS m FROM (${each})`;
}

/**
 * Which events of a span kept hours do not tell of; null where that is none. Their days are said once more by themselves:
 * that is what the engine leaves out whole parts by.
 */
export function unkeptSql(
  { kept, stale }: Pick<KeptHours, 'kept' | 'stale'>,
  { from, to }: Span,
  bound: Bound,
): string | null {
  const instant = (ms: number) => `fromUnixTimestamp64Milli(${bound.add(ms, 'Int64')}, 'UTC')`;
  const day = (ms: number) => `toDate(${bound.add(Math.floor(ms / DAY_MS), 'UInt16')})`;
  const days: string[] = [];
  const parts: string[] = [];
  if (from < kept.from) {
    days.push(`toDate(event_time) <= ${day(kept.from)}`);
    parts.push(`event_time < ${instant(kept.from)}`);
  }
  if (to > kept.to) {
    days.push(`toDate(event_time) >= ${day(kept.to)}`);
    parts.push(`event_time >= ${instant(kept.to)}`);
  }
  if (stale.length > 0) {
    days.push(`toDate(event_time) IN ${datesSql(stale, bound)}`);
    parts.push(`(toDate(event_time), device, source) IN ${streamDaysSql(stale, bound)}`);
  }
  return parts.length === 0 ? null : `(${days.join(' OR ')}) AND (${parts.join(' OR ')})`;
}

/** Events of these days. */
export const onDaysSql = (days: readonly StreamDay[], bound: Bound): string =>
  `toDate(event_time) IN ${datesSql(days, bound)} AND (toDate(event_time), device, source) IN ${streamDaysSql(days, bound)}`;

const dateOf = ([day]: StreamDay): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

const datesSql = (days: readonly StreamDay[], bound: Bound): string =>
  bound.add([...new Set(days.map(dateOf))], 'Array(Date)');

const streamDaysSql = (days: readonly StreamDay[], bound: Bound): string =>
  `arrayZip(${bound.add(days.map(dateOf), 'Array(Date)')}, ${bound.add(
    days.map(([, device]) => device),
    'Array(UUID)',
  )}, ${bound.add(
    days.map(([, , source]) => source),
    'Array(String)',
  )})`;
