import type { ClickHouse } from '@albedo/clickhouse/client';
import type { DeviceScope } from '../access/device-scope.ts';
import { Bound } from './telemetry.columns.ts';
import type { StreamOf } from './telemetry.pieces.ts';
import { EVENTS, reading } from './telemetry.reading.ts';
import { scopeFilter } from './telemetry.scope.ts';

/** What is stored so long after it was measured came late, ms. */
const LATE_MS = 3_600_000;

export interface LateQuery {
  table: string;
  streams: readonly StreamOf[];
  /** Included, epoch ms. */
  from: number;
  /** Not included. */
  to: number;
}

/** How many events of a source came late, and when the last of them did (epoch ms). */
export interface LateOf extends StreamOf {
  count: number;
  lastAt: number;
}

/** Sources without late events are left out. */
export async function readLate(
  { clickhouse, workgroup, devices }: { clickhouse: ClickHouse; workgroup: string; devices: DeviceScope },
  { table, streams, from, to }: LateQuery,
  signal?: AbortSignal,
): Promise<LateOf[]> {
  if (streams.length === 0) return [];
  const bound = new Bound();
  const at = (ms: number) => `fromUnixTimestamp64Milli(${bound.add(Math.trunc(ms), 'Int64')}, 'UTC')`;
  const ids = streams.map(({ device }) => device.toLowerCase());
  const sources = streams.map(({ source }) => source);
  const sql = `SELECT toString(device), source, toFloat64(count()), toFloat64(toUnixTimestamp64Milli(max(store_time)))
    FROM ${EVENTS}
    WHERE workgroup = ${bound.add(workgroup, 'String')} AND tbl = ${bound.add(table, 'String')}
      AND device IN ${bound.add([...new Set(ids)], 'Array(UUID)')}
      AND (device, source) IN arrayZip(${bound.add(ids, 'Array(UUID)')}, ${bound.add(sources, 'Array(String)')})
      AND ${scopeFilter(devices, bound)} AND event_time >= ${at(from)} AND event_time < ${at(to)}
      AND toUnixTimestamp64Milli(store_time) - toUnixTimestamp64Milli(event_time) > ${LATE_MS}
    GROUP BY device, source`;
  const rows = await clickhouse.queryRows<[string, string, number, number]>(sql, reading(bound, signal));
  return rows.map(([device, source, count, lastAt]) => ({ device, source, count, lastAt }));
}
