import type { ClickHouse } from '@albedo/clickhouse/client';
import type { TelemetryBlock } from './telemetry.blocks.ts';

/** Numbers of events, the last one included. */
export interface NumberRange {
  from: number;
  to: number;
}

/** What a stream has with numbers of a range. Instants are epoch ms. */
export interface NumberedStream {
  device: string;
  table: string;
  source: string;
  events: number;
  firstAt: number;
  lastAt: number;
}

const IN_RANGE = 'workgroup = {workgroup:String} AND msg_id BETWEEN {from:UInt64} AND {to:UInt64}';
const LONG = { max_execution_time: 600, max_result_rows: 0, max_result_bytes: 0 };

/** The first and last instant at which streams of a table have events with other numbers than those of the range. */
export async function readSpans(
  clickhouse: ClickHouse,
  workgroup: string,
  table: string,
  { from, to }: NumberRange,
): Promise<Omit<NumberedStream, 'table' | 'events'>[]> {
  const rows = await clickhouse.queryRows<[string, string, string, string]>(
    `SELECT toString(device), source, toUnixTimestamp64Milli(min(event_time)), toUnixTimestamp64Milli(max(event_time))
     FROM telemetry.events WHERE workgroup = {workgroup:String} AND tbl = {table:String}
       AND NOT (msg_id BETWEEN {from:UInt64} AND {to:UInt64}) GROUP BY device, source`,
    { params: { workgroup, table, from, to }, settings: LONG },
  );
  return rows.map(([device, source, firstAt, lastAt]) => ({
    device,
    source,
    firstAt: Number(firstAt),
    lastAt: Number(lastAt),
  }));
}

/** The instants of a block, epoch ms, at which its stream has events with other numbers than those of the range. */
export async function readInstants(
  clickhouse: ClickHouse,
  { workgroup, device, stream, rows }: TelemetryBlock,
  { from, to }: NumberRange,
): Promise<Set<number>> {
  const instants = [...new Set(rows.map(([, at]) => at))];
  const found = await clickhouse.queryRows<[string]>(
    `SELECT DISTINCT toUnixTimestamp64Milli(event_time) FROM telemetry.events
     WHERE workgroup = {workgroup:String} AND tbl = {table:String} AND device = {device:UUID} AND source = {source:String}
       AND event_time >= fromUnixTimestamp64Milli({first:Int64}, 'UTC')
       AND event_time <= fromUnixTimestamp64Milli({last:Int64}, 'UTC')
       AND toUnixTimestamp64Milli(event_time) IN {instants:Array(Int64)}
       AND NOT (msg_id BETWEEN {from:UInt64} AND {to:UInt64})`,
    {
      params: {
        workgroup,
        table: stream.table,
        device,
        source: stream.source,
        first: instants.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY),
        last: instants.reduce((a, b) => Math.max(a, b), 0),
        instants,
        from,
        to,
      },
      settings: LONG,
    },
  );
  return new Set(found.map(([at]) => Number(at)));
}

/** The streams that have events with numbers of the range, each event counted once. */
export async function readNumbered(
  clickhouse: ClickHouse,
  workgroup: string,
  range: NumberRange,
): Promise<NumberedStream[]> {
  const rows = await clickhouse.queryRows<[string, string, string, string, string, string]>(
    `SELECT toString(device), tbl, source, count(), toUnixTimestamp64Milli(min(event_time)),
       toUnixTimestamp64Milli(max(event_time))
     FROM telemetry.events FINAL WHERE ${IN_RANGE} GROUP BY device, tbl, source ORDER BY device, tbl, source`,
    { params: { workgroup, ...range }, settings: LONG },
  );
  return rows.map(([device, table, source, events, firstAt, lastAt]) => ({
    device,
    table,
    source,
    events: Number(events),
    firstAt: Number(firstAt),
    lastAt: Number(lastAt),
  }));
}

/**
 * Deletes the events with numbers of the range; the newest event of these streams is the newest of those that stay. They cannot
 * be read any more afterwards. May be repeated.
 */
export async function forgetNumbered(
  clickhouse: ClickHouse,
  workgroup: string,
  range: NumberRange,
  streams: readonly Pick<NumberedStream, 'device' | 'table' | 'source'>[],
): Promise<void> {
  for (const table of ['events', 'latest'])
    await clickhouse.exec(`ALTER TABLE telemetry.${table} DELETE WHERE ${IN_RANGE}`, {
      params: { workgroup, ...range },
      settings: { mutations_sync: 2 },
    });
  for (const { device, table, source } of streams)
    await clickhouse.exec(
      `INSERT INTO telemetry.latest SELECT * FROM telemetry.events
       WHERE workgroup = {workgroup:String} AND tbl = {table:String} AND device = {device:UUID} AND source = {source:String}
       ORDER BY event_time DESC LIMIT 1`,
      { params: { workgroup, device, table, source }, settings: LONG },
    );
}
