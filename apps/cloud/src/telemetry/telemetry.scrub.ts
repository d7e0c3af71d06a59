import type { ClickHouse } from '@albedo/clickhouse/client';
import { OWN_NUMBERS } from '@albedo/contract/link/link.messages';
import { slotColumns } from './telemetry.schema-sql.ts';
import type { MonthSpan } from './telemetry.usage.ts';

/** Everything of one table of a workgroup on one day: rows that lie together. `day` counts from 1970. */
export interface ScrubGroup {
  workgroup: string;
  table: string;
  day: number;
}

export interface StreamCount {
  device: string;
  source: string;
  events: number;
}

/** Codes of ClickHouse that mean that data is damaged or gone. Source: src/Common/ErrorCodes.cpp. */
const DAMAGES: ReadonlySet<string> = new Set([
  '32', // ATTEMPT_TO_READ_AFTER_EOF
  '33', // CANNOT_READ_ALL_DATA
  '40', // CHECKSUM_DOESNT_MATCH
  '92', // EMPTY_DATA_PASSED
  '107', // FILE_DOESNT_EXIST
  '117', // INCORRECT_DATA
  '228', // BAD_SIZE_OF_FILE_IN_DATA_PART
  '229', // UNEXPECTED_FILE_IN_DATA_PART
  '246', // CORRUPTED_DATA
  '271', // CANNOT_DECOMPRESS
  '432', // UNKNOWN_CODEC
]);

export const isDamage = (error: unknown): boolean => DAMAGES.has(String((error as { code?: unknown }).code));

const DAY = 'toRelativeDayNum(event_time)';
const SETTINGS = { max_execution_time: 120, max_threads: 1, max_result_rows: 0, max_result_bytes: 0 };

/** The group after this one, in the order in which they lie in the store; the first one without it. Null at the end. */
export async function groupAfter(
  clickhouse: ClickHouse,
  last: ScrubGroup | null,
): Promise<ScrubGroup | null> {
  const { workgroup, table, day } = last ?? { workgroup: '', table: '', day: 0 };
  const [row] = await clickhouse.queryRows<[string, string, number]>(
    `SELECT workgroup, tbl, ${DAY} FROM telemetry.events
     WHERE (workgroup, tbl, toDate(event_time)) > ({workgroup:String}, {table:String}, toDate({day:Int32}))
     ORDER BY workgroup, tbl, toDate(event_time) LIMIT 1`,
    { params: { workgroup, table, day }, settings: SETTINGS },
  );
  return row ? { workgroup: row[0], table: row[1], day: Number(row[2]) } : null;
}

/** Reads every value of the group and counts the events of each stream that devices sent. Throws where something cannot be read. */
export async function readGroup(clickhouse: ClickHouse, group: ScrubGroup): Promise<StreamCount[]> {
  const values = [...slotColumns('n'), ...slotColumns('s'), 'nx', 'sx'].join(', ');
  const rows = await clickhouse.queryRows<[string, string, string]>(
    `SELECT toString(device), source, countIf(NOT ignore(${values}) AND msg_id < ${OWN_NUMBERS}) FROM telemetry.events FINAL
     WHERE workgroup = {workgroup:String} AND tbl = {table:String} AND toDate(event_time) = toDate({day:Int32})
     GROUP BY device, source`,
    { params: { ...group }, settings: SETTINGS },
  );
  return rows.map(([device, source, events]) => ({ device, source, events: Number(events) }));
}

/** How many events of each stream were stored since an instant, epoch ms. */
export async function countSince(clickhouse: ClickHouse, at: number): Promise<Map<string, number>> {
  const rows = await clickhouse.queryRows<[string, string, string, string]>(
    `SELECT toString(device), tbl, source, count() FROM telemetry.events
     WHERE store_time >= fromUnixTimestamp64Milli({at:Int64}, 'UTC') AND msg_id < ${OWN_NUMBERS} GROUP BY device, tbl, source`,
    { params: { at }, settings: SETTINGS },
  );
  return new Map(
    rows.map(([device, table, source, events]) => [`${device}\n${table}\n${source}`, Number(events)]),
  );
}

/** What was deleted on purpose: everything before `before`, or all of the table; with `since`, only from then on. */
export interface Deletion {
  workgroup: string;
  table: string;
  before: number | null;
  since?: number;
  /** Months in between that were kept. */
  except?: readonly MonthSpan[];
  /** Epoch ms. */
  at: number;
}

export async function noteDeletion(clickhouse: ClickHouse, deletion: Deletion): Promise<void> {
  const { workgroup, table, before, except = [], at } = deletion;
  const except_ms = except.map(({ from }) => from);
  const line = JSON.stringify({ workgroup, tbl: table, before_ms: before ?? -1, except_ms, at });
  await clickhouse.insert('INSERT INTO telemetry.deletions FORMAT JSONEachRow', Buffer.from(`${line}\n`));
}

export async function noteDeletedMonth(
  clickhouse: ClickHouse,
  { workgroup, table, monthAt, at }: { workgroup: string; table: string; monthAt: number; at: number },
): Promise<void> {
  const line = JSON.stringify({ workgroup, tbl: table, month_ms: monthAt, at });
  await clickhouse.insert(
    'INSERT INTO telemetry.deleted_months FORMAT JSONEachRow',
    Buffer.from(`${line}\n`),
  );
}

export async function readDeletions(clickhouse: ClickHouse): Promise<Deletion[]> {
  const months = await clickhouse.queryRows<[string, string, string, string]>(
    'SELECT workgroup, tbl, month_ms, toUnixTimestamp64Milli(at) FROM telemetry.deleted_months FINAL',
  );
  const rows = await clickhouse.queryRows<[string, string, string, string, string[]]>(
    'SELECT workgroup, tbl, before_ms, toUnixTimestamp64Milli(at), except_ms FROM telemetry.deletions FINAL',
  );
  return [
    ...rows.map(([workgroup, table, before, at, except]) => ({
      workgroup,
      table,
      before: Number(before) < 0 ? null : Number(before),
      except: except.map((from) => monthFrom(Number(from))),
      at: Number(at),
    })),
    ...months.map(([workgroup, table, monthAt, at]) => {
      const { from: since, to: before } = monthFrom(Number(monthAt));
      return { workgroup, table, since, before, at: Number(at) };
    }),
  ];
}

function monthFrom(from: number): MonthSpan {
  const month = new Date(from);
  return { from, to: Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1) };
}
