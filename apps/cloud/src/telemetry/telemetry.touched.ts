import type { ClickHouse } from '@albedo/clickhouse/client';
import { OWN_NUMBERS } from '@albedo/contract/link/link.messages';
import { CLOUD_TABLES } from '@albedo/contract/telemetry/telemetry.schema';
import { Bound } from './telemetry.columns.ts';
import { reading } from './telemetry.reading.ts';
import { FAR_MS } from './telemetry.windows.ts';

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

/** A stretch of time of a source, epoch ms. */
export interface SourceSpan extends Omit<Touched, 'at'> {
  from: number;
  to: number;
}

/** When something of a source was read last before a stretch of time, and first after it; null where nothing is near. */
export interface Beside extends SourceSpan {
  before: number | null;
  after: number | null;
}

const DAY_MS = 86_400_000;
const AT_ONCE = 1000;

/** Of sources, each with one stretch, those beside which nothing was read for a day, with what was read next to that, not farther away than `FAR_MS`. */
export async function readPauses(
  clickhouse: ClickHouse,
  workgroup: string,
  spans: readonly SourceSpan[],
  signal?: AbortSignal,
): Promise<Beside[]> {
  const found: Beside[] = [];
  for (let i = 0; i < spans.length; i += AT_ONCE) {
    const near = await readBeside(
      clickhouse,
      { workgroup, spans: spans.slice(i, i + AT_ONCE), reach: DAY_MS },
      signal,
    );
    const lonely = near.filter(({ before, after }) => before === null || after === null);
    if (lonely.length === 0) continue;
    const far = await readBeside(clickhouse, { workgroup, spans: lonely, reach: FAR_MS }, signal);
    found.push(...far.filter(({ before, after }) => before !== null || after !== null));
  }
  return found;
}

async function readBeside(
  clickhouse: ClickHouse,
  { workgroup, spans, reach }: { workgroup: string; spans: readonly SourceSpan[]; reach: number },
  signal?: AbortSignal,
): Promise<Beside[]> {
  const bound = new Bound();
  const keys = spans.map(({ device, table, source }) => [device.toLowerCase(), table, source].join('\n'));
  const distinct = (pick: (one: SourceSpan) => string) => [...new Set(spans.map(pick))];
  const from = Math.min(...spans.map((one) => one.from));
  const to = Math.max(...spans.map((one) => one.to));
  const instant = (ms: number) => `fromUnixTimestamp64Milli(${bound.add(Math.trunc(ms), 'Int64')}, 'UTC')`;
  const numbers = (pick: (one: SourceSpan) => number) => bound.add(spans.map(pick), 'Array(Int64)');
  const far = bound.add(reach, 'Int64');
  const sql = `SELECT place, toFloat64(maxIf(t, t < f)), toFloat64(minIf(t, t >= e)) FROM (
      SELECT t, place, ${numbers((one) => one.from)}[place] AS f, ${numbers((one) => one.to)}[place] AS e FROM (
        SELECT toUnixTimestamp64Milli(event_time) AS t,
          indexOf(${bound.add(keys, 'Array(String)')}, concat(toString(device), '\n', tbl, '\n', source)) AS place
        FROM telemetry.events
        WHERE workgroup = ${bound.add(workgroup, 'String')}
          AND tbl IN ${bound.add(
            distinct(({ table }) => table),
            'Array(String)',
          )}
          AND device IN ${bound.add(
            distinct(({ device }) => device),
            'Array(UUID)',
          )}
          AND event_time >= ${instant(from - reach)} AND event_time < ${instant(to + reach)}
          AND msg_id != ${bound.add(CALCULATED, 'UInt64')})
      WHERE place > 0)
    WHERE t >= f - ${far} AND t < e + ${far} GROUP BY place`;
  const rows = await clickhouse.queryRows<[number, number, number]>(sql, reading(bound, signal));
  const byPlace = new Map(rows.map(([place, before, after]) => [Number(place), { before, after }]));
  return spans.map((one, i) => {
    const { before = 0, after = 0 } = byPlace.get(i + 1) ?? {};
    return { ...one, before: before || null, after: after || null };
  });
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
