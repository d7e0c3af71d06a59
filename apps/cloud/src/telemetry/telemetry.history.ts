import type { Readable } from 'node:stream';
import type { ClickHouse } from '@albedo/clickhouse/client';
import { OWN_NUMBERS } from '@albedo/contract/link/link.messages';
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
  await renewLatest(clickhouse, workgroup, streams);
}

/** The newest event of each stream is the newest of those that are stored. */
export async function renewLatest(
  clickhouse: ClickHouse,
  workgroup: string,
  streams: readonly Pick<NumberedStream, 'device' | 'table' | 'source'>[],
): Promise<void> {
  for (const { device, table, source } of streams)
    await clickhouse.exec(
      `INSERT INTO telemetry.latest SELECT * FROM telemetry.events
       WHERE workgroup = {workgroup:String} AND tbl = {table:String} AND device = {device:UUID} AND source = {source:String}
       ORDER BY event_time DESC LIMIT 1`,
      // The same row may have been inserted before, and deleted.
      { params: { workgroup, device, table, source }, settings: { ...LONG, insert_deduplicate: 0 } },
    );
}

/** A stream from one instant to another, both included; epoch ms. */
export type Stretch = Omit<NumberedStream, 'events'>;

/** Stretches in one statement. */
const AT_ONCE = 40;

/** What lies in the stretches with numbers of the cloud, others than those of the range: what devices sent has smaller ones. */
function otherwiseNumbered(workgroup: string, { from, to }: NumberRange, stretches: readonly Stretch[]) {
  const params: Record<string, unknown> = { workgroup, from, to };
  const each = stretches.map(({ device, table, source, firstAt, lastAt }, i) => {
    Object.assign(params, {
      [`d${i}`]: device,
      [`t${i}`]: table,
      [`s${i}`]: source,
      [`a${i}`]: firstAt,
      [`z${i}`]: lastAt,
    });
    return `(tbl = {t${i}:String} AND device = {d${i}:UUID} AND source = {s${i}:String}
      AND event_time >= fromUnixTimestamp64Milli({a${i}:Int64}, 'UTC') AND event_time <= fromUnixTimestamp64Milli({z${i}:Int64}, 'UTC'))`;
  });
  const sql = `workgroup = {workgroup:String} AND msg_id >= ${OWN_NUMBERS}
    AND NOT (msg_id BETWEEN {from:UInt64} AND {to:UInt64}) AND (${each.join(' OR ')})`;
  return { sql, params };
}

const inGroups = (stretches: readonly Stretch[]): Stretch[][] =>
  Array.from({ length: Math.ceil(stretches.length / AT_ONCE) }, (_, i) =>
    stretches.slice(i * AT_ONCE, (i + 1) * AT_ONCE),
  );

/** How many events lie in the stretches, and by blocks of `width` numbers, whose they are: the first number of each block. */
export async function readOthers(
  clickhouse: ClickHouse,
  workgroup: string,
  range: NumberRange,
  stretches: readonly Stretch[],
): Promise<{ events: number; ranges: NumberRange[] }> {
  const width = range.to - range.from + 1;
  const starts = new Set<number>();
  let events = 0;
  for (const group of inGroups(stretches)) {
    const { sql, params } = otherwiseNumbered(workgroup, range, group);
    const rows = await clickhouse.queryRows<[string, string]>(
      `SELECT intDiv(msg_id - ${OWN_NUMBERS}, ${width}), count() FROM telemetry.events FINAL WHERE ${sql} GROUP BY 1`,
      { params, settings: LONG },
    );
    for (const [block, count] of rows) {
      starts.add(OWN_NUMBERS + Number(block) * width);
      events += Number(count);
    }
  }
  return { events, ranges: [...starts].map((from) => ({ from, to: from + width - 1 })) };
}

/** The events of the stretches as the engine has them, in lines, so that they can be put back. */
export async function* takeOthers(
  clickhouse: ClickHouse,
  workgroup: string,
  range: NumberRange,
  stretches: readonly Stretch[],
): AsyncGenerator<Readable> {
  for (const group of inGroups(stretches)) {
    const { sql, params } = otherwiseNumbered(workgroup, range, group);
    yield await clickhouse.bytes(`SELECT * FROM telemetry.events FINAL WHERE ${sql}`, 'JSONEachRow', {
      params,
      settings: LONG,
    });
  }
}

/** Deletes the events of the stretches. May be repeated. */
export async function forgetOthers(
  clickhouse: ClickHouse,
  workgroup: string,
  range: NumberRange,
  stretches: readonly Stretch[],
): Promise<void> {
  for (const group of inGroups(stretches)) {
    const { sql, params } = otherwiseNumbered(workgroup, range, group);
    for (const table of ['events', 'latest'])
      await clickhouse.exec(`ALTER TABLE telemetry.${table} DELETE WHERE ${sql}`, {
        params,
        settings: { mutations_sync: 2 },
      });
  }
  await renewLatest(clickhouse, workgroup, stretches);
}

/** Puts events back, in whole lines as they were taken out. May be repeated. */
export const putBack = (clickhouse: ClickHouse, lines: Buffer): Promise<void> =>
  clickhouse.insert('INSERT INTO telemetry.events FORMAT JSONEachRow', lines, {
    // They were inserted before, and deleted.
    settings: { insert_deduplicate: 0 },
  });
