import type { ClickHouse } from '@albedo/clickhouse/client';
import type { TableFields } from './telemetry.catalog.ts';
import {
  Bound,
  type Cell,
  type Cells,
  cells,
  fieldList,
  KEY_COLUMNS,
  RowReader,
} from './telemetry.columns.ts';
import { reading } from './telemetry.reading.ts';

/** Events that were stored within a span of time, whenever they were measured. */
export interface NewlyQuery {
  workgroup: string;
  table: string;
  /** By the time of storing, epoch ms; the end is not included. */
  from: number;
  to: number;
}

/** The new events of a source: how many, and when the first and last were measured (epoch ms). */
export interface NewlyOf {
  device: string;
  source: string;
  count: number;
  firstAt: number;
  lastAt: number;
}

const MINUTE_MS = 60_000;

// Repeats count until the engine has merged them: skipping them would mean reading whole months.
const whereOf = ({ workgroup, table, from, to }: NewlyQuery, bound: Bound): string => {
  const at = (ms: number) => `fromUnixTimestamp64Milli(${bound.add(Math.trunc(ms), 'Int64')}, 'UTC')`;
  return `workgroup = ${bound.add(workgroup, 'String')} AND tbl = ${bound.add(table, 'String')}
    AND store_time >= ${at(from)} AND store_time < ${at(to)}`;
};

/** How many events were stored in each minute (epoch minutes); minutes without any are left out. */
export async function countNewly(
  clickhouse: ClickHouse,
  query: NewlyQuery,
  signal?: AbortSignal,
): Promise<Map<number, number>> {
  const bound = new Bound();
  const sql = `SELECT toUInt32(intDiv(toUnixTimestamp64Milli(store_time), ${MINUTE_MS})) AS minute, toFloat64(count())
    FROM telemetry.events WHERE ${whereOf(query, bound)} GROUP BY minute ORDER BY minute`;
  return new Map(await clickhouse.queryRows<[number, number]>(sql, reading(bound, signal)));
}

/** The sources with new events, those with most first, and the first events by time. */
export async function readNewly(
  clickhouse: ClickHouse,
  query: NewlyQuery & { fields: TableFields; sources: number; rows: number },
  signal?: AbortSignal,
): Promise<{ sources: NewlyOf[]; rows: Cells[] }> {
  const { fields, sources: mostSources, rows: mostRows } = query;
  const [bySource, byEvent] = [new Bound(), new Bound()];
  const reader = new RowReader(
    fields,
    fieldList(fields).map(({ name }) => name),
  );
  const [sources, rows] = await Promise.all([
    clickhouse.queryRows<[string, string, number, number, number]>(
      `SELECT toString(device), source, toFloat64(count()) AS events,
         toFloat64(toUnixTimestamp64Milli(min(event_time))), toFloat64(toUnixTimestamp64Milli(max(event_time)))
       FROM telemetry.events WHERE ${whereOf(query, bySource)}
       GROUP BY device, source ORDER BY events DESC, device, source LIMIT ${bySource.add(mostSources, 'UInt32')}`,
      reading(bySource, signal),
    ),
    clickhouse.queryRows<Cell[]>(
      `SELECT ${[...KEY_COLUMNS, ...reader.columns].join(', ')} FROM telemetry.events
       WHERE ${whereOf(query, byEvent)} ORDER BY event_time, device, source, msg_id
       LIMIT 1 BY event_time, device, source, msg_id LIMIT ${byEvent.add(mostRows, 'UInt32')}`,
      reading(byEvent, signal),
    ),
  ]);
  return {
    sources: sources.map(([device, source, count, firstAt, lastAt]) => ({
      device,
      source,
      count,
      firstAt,
      lastAt,
    })),
    rows: rows.map((row) => {
      const record = cells({
        device: row[0] ?? null,
        event_time: new Date(Number(row[1])).toISOString(),
        source: row[2] ?? null,
        msg_id: String(row[3]),
      });
      reader.read(row, KEY_COLUMNS.length, record, false);
      return record;
    }),
  };
}
