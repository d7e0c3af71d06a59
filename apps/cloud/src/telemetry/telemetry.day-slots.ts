import type { ClickHouse } from '@albedo/clickhouse/client';
import type { DeviceScope } from '../access/device-scope.ts';
import { invalid } from '../errors/request-issues.ts';
import type { TableFields } from './telemetry.catalog.ts';
import { Bound, slotExpression } from './telemetry.columns.ts';
import type { StreamOf } from './telemetry.pieces.ts';
import { EVENTS, reading, withinSql } from './telemetry.reading.ts';
import { scopeFilter } from './telemetry.scope.ts';

/** Fields of some streams of one table, in slots of each stretch (such as a day) between two edges. */
export interface DaySlotsQuery {
  table: string;
  fields: readonly string[];
  streams: readonly StreamOf[];
  /** Rising, epoch ms; the last one is where the last stretch ends. */
  edges: readonly number[];
  stepMs: number;
  /** A date field that says the time of a record. */
  dateField?: string | undefined;
}

/** A slot that has values: which one it is, their mean, the newest of them, and its time since the stretch began, ms. */
export type Slot = readonly [slot: number, mean: number, last: number, lastMs: number];

/** What one field of a stream had in one stretch (`at` is its place); instants are epoch ms. */
export interface DaySlots extends StreamOf {
  field: string;
  at: number;
  count: number;
  firstAt: number;
  lastAt: number;
  slots: Slot[];
}

type Row = [string, string, number, number, number, number, number, Slot[]];

/** Stretches in which a field had no value are left out. Throws `request.invalid` for a date field that is none. */
export async function readDaySlots(
  of: { clickhouse: ClickHouse; workgroup: string; devices: DeviceScope; fields: TableFields },
  { table, fields, streams, edges, stepMs, dateField }: DaySlotsQuery,
  signal?: AbortSignal,
): Promise<DaySlots[]> {
  const known = fields.flatMap((name) => of.fields.n.get(name) ?? []);
  const [from, to] = [edges[0], edges.at(-1)];
  if (known.length === 0 || streams.length === 0 || edges.length < 2) return [];
  if (from === undefined || to === undefined) return [];
  const bound = new Bound();
  const date = dateSql(of.fields, dateField, bound);
  const span = { from, to };
  const t = date ?? 'toUnixTimestamp64Milli(event_time)';
  const within = date
    ? `isNotNull(${date}) AND ${date} >= ${bound.add(from, 'Int64')} AND ${date} < ${bound.add(to, 'Int64')}`
    : withinSql(span, bound);
  const starts = bound.add(edges.slice(0, -1), 'Array(Int64)');
  const places = bound.add(
    edges.slice(1).map((_, i) => i),
    'Array(UInt32)',
  );
  const values = known.map((slot, i) => `(${i}, ${slotExpression(slot, bound)})`);
  const ids = streams.map(({ device }) => device.toLowerCase());
  const names = streams.map(({ source }) => source);
  const sql = `SELECT toString(device), source, f, toUInt32(e), toFloat64(sum(n)), toFloat64(min(a)), toFloat64(max(b)),
      arraySort(groupArray((toFloat64(slot), m, l, toFloat64(b - start))))
    FROM (
      SELECT device, source, f, start, transform(start, ${starts}, ${places}, toUInt32(0)) AS e,
        intDiv(t - start, ${bound.add(stepMs, 'Int64')}) AS slot, avg(v) AS m, argMax(v, (t, msg_id)) AS l,
        count() AS n, min(t) AS a, max(t) AS b
      FROM (
        SELECT device, source, toUInt16(one.1) AS f, assumeNotNull(toInt64(${t})) AS t, msg_id,
          assumeNotNull(toFloat64(one.2)) AS v, roundDown(t, ${starts}) AS start
        FROM ${EVENTS} ARRAY JOIN [${values.join(', ')}] AS one
        WHERE workgroup = ${bound.add(of.workgroup, 'String')} AND tbl = ${bound.add(table, 'String')}
          AND device IN ${bound.add([...new Set(ids)], 'Array(UUID)')}
          AND (device, source) IN arrayZip(${bound.add(ids, 'Array(UUID)')}, ${bound.add(names, 'Array(String)')})
          AND ${scopeFilter(of.devices, bound)} AND ${within} AND isNotNull(one.2))
      GROUP BY device, source, f, start, slot)
    GROUP BY device, source, f, e`;
  const rows = await of.clickhouse.queryRows<Row>(sql, reading(bound, signal));
  return rows.map(([device, source, f, at, count, firstAt, lastAt, slots]) => ({
    ...{ device, source, field: known[f]?.field ?? '', at, count, firstAt, lastAt, slots },
  }));
}

function dateSql(fields: TableFields, dateField: string | undefined, bound: Bound): string | null {
  if (dateField === undefined || dateField === 'event_time') return null;
  const slot = fields.n.get(dateField);
  if (slot?.type !== 'date') throw invalid('issue.date_field', { field: dateField }, 'dateField');
  return slotExpression(slot, bound);
}
