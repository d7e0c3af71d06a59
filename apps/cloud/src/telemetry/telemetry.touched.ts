import type { ClickHouse } from '@albedo/clickhouse/client';
import { OWN_NUMBERS } from '@albedo/contract/link/link.messages';
import { CLOUD_TABLES } from '@albedo/contract/telemetry/telemetry.schema';
import { Bound } from './telemetry.columns.ts';
import { reading } from './telemetry.reading.ts';

/** Number of every record that a calculation writes: it has one at an instant, which a newer one replaces. */
export const CALCULATED = OWN_NUMBERS + 1;

/** A quarter of an hour (`at` is its beginning, epoch ms) in which something of a source was stored. */
export interface Touched {
  device: string;
  table: string;
  source: string;
  at: number;
}

/** The longest list that is answered. */
const ROWS = 5_000_000;

/** What was stored since an instant (epoch ms), however old it is; without what calculations write. */
export async function readTouched(
  clickhouse: ClickHouse,
  workgroup: string,
  at: number,
  signal?: AbortSignal,
): Promise<Touched[]> {
  const bound = new Bound();
  const sql = `SELECT toString(device), tbl, source, intDiv(toUnixTimestamp64Milli(event_time), 900000) AS q
    FROM telemetry.events
    WHERE workgroup = ${bound.add(workgroup, 'String')}
      AND store_time >= fromUnixTimestamp64Milli(${bound.add(Math.trunc(at), 'Int64')}, 'UTC')
      AND tbl NOT IN ${bound.add([...CLOUD_TABLES], 'Array(String)')}
      AND msg_id != ${bound.add(CALCULATED, 'UInt64')}
    GROUP BY device, tbl, source, q`;
  const ask = reading(bound, signal, { max_result_rows: ROWS });
  const rows = await clickhouse.queryRows<[string, string, string, string]>(sql, ask);
  return rows.map(([device, table, source, q]) => ({ device, table, source, at: Number(q) * 900_000 }));
}

/** A stretch of time (`at` is its beginning, epoch ms) in which something of a device was stored. */
export type TouchedDevice = Pick<Touched, 'device' | 'at'>;

/** What was stored since an instant, device by device, in stretches of so many ms; without what calculations write. */
export async function readTouchedDevices(
  clickhouse: ClickHouse,
  workgroup: string,
  { since, stepMs }: { since: number; stepMs: number },
  signal?: AbortSignal,
): Promise<TouchedDevice[]> {
  const bound = new Bound();
  const step = bound.add(stepMs, 'Int64');
  const sql = `SELECT toString(device), toFloat64(intDiv(toUnixTimestamp64Milli(event_time), ${step})) AS q
    FROM telemetry.events
    WHERE workgroup = ${bound.add(workgroup, 'String')}
      AND store_time >= fromUnixTimestamp64Milli(${bound.add(Math.trunc(since), 'Int64')}, 'UTC')
      AND tbl NOT IN ${bound.add([...CLOUD_TABLES], 'Array(String)')}
      AND msg_id != ${bound.add(CALCULATED, 'UInt64')}
    GROUP BY device, q`;
  const ask = reading(bound, signal, { max_result_rows: ROWS });
  const rows = await clickhouse.queryRows<[string, number]>(sql, ask);
  return rows.map(([device, q]) => ({ device, at: q * stepMs }));
}
