import type { ClickHouse } from '@albedo/clickhouse/client';
import { OWN_NUMBERS } from '@albedo/contract/link/link.messages';
import type { DeviceScope } from '../access/device-scope.ts';
import { Bound } from './telemetry.columns.ts';
import { reading } from './telemetry.reading.ts';
import { slotColumns } from './telemetry.schema-sql.ts';
import { scopeFilter } from './telemetry.scope.ts';

/** Days whose events tell the pace: what was brought in of earlier days says nothing about the next ones. */
const PACE_DAYS = 30;
const DAY_MS = 24 * 3_600_000;
/** Devices that are told apart, those with most events first. */
const DEVICES = 100;
/** What an event takes besides its values, in values: key columns and numbers. */
const KEY_COST = 2;
/** Events of each table that tell how many values one has. */
const SAMPLED = 1000;

export interface TableUse {
  table: string;
  events: number;
  bytes: number;
  devices: number;
  firstAt: number;
  lastAt: number;
  eventsPerDay: number;
}

interface Share {
  events: number;
  bytes: number;
}

/**
 * What the events of a workgroup take.
 *
 * Units: epoch ms, bytes; `month` is its first day in UTC. Repeats that were not merged yet count, since they take room.
 * All tables lie in the same files: a table's bytes are the engine's mean for its number of values.
 */
export interface Usage {
  tables: TableUse[];
  devices: (Share & { device: string })[];
  months: (Share & { month: string })[];
}

/** Reads what the events of these tables take, of the devices that the scope has. */
export async function readUsage(
  clickhouse: ClickHouse,
  workgroup: string,
  scope: DeviceScope,
  tablesSeen: readonly string[],
): Promise<Usage> {
  const bound = new Bound();
  const whole = reading(bound, undefined, { max_execution_time: 60 });
  const where = `workgroup = ${bound.add(workgroup, 'String')} AND tbl IN ${bound.add([...tablesSeen], 'Array(String)')}
    AND ${scopeFilter(scope, bound)}`;
  const OF = `FROM telemetry.events WHERE ${where}`;
  const [pieces, devicesOf, devices, valuesOf, [engine]] = await Promise.all([
    clickhouse.queryRows<[string, string, string, string, string, string]>(
      `SELECT tbl, toString(toStartOfMonth(event_time)) AS month, count(), toUnixTimestamp64Milli(min(event_time)),
         toUnixTimestamp64Milli(max(event_time)), countIf(event_time >= now64(3) - INTERVAL ${PACE_DAYS} DAY)
       ${OF} GROUP BY tbl, month ORDER BY month, tbl`,
      whole,
    ),
    clickhouse.queryRows<[string, string]>(`SELECT tbl, uniq(device) ${OF} GROUP BY tbl`, whole),
    clickhouse.queryRows<[string, string, string]>(
      `SELECT toString(device), tbl, count() AS events ${OF} AND device IN (
         SELECT device ${OF} GROUP BY device ORDER BY count() DESC LIMIT ${DEVICES}) GROUP BY device, tbl`,
      whole,
    ),
    clickhouse.queryRows<[string, number]>(
      `SELECT tbl, avg(${valuesIn()}) FROM (SELECT * FROM telemetry.latest WHERE ${where}
         LIMIT ${SAMPLED} BY tbl) GROUP BY tbl`,
      whole,
    ),
    clickhouse.queryRows<[string, string]>(
      `SELECT sum(bytes_on_disk), sum(rows) FROM system.parts
       WHERE database = 'telemetry' AND table = 'events' AND active`,
      whole,
    ),
  ]);
  const cost = new Map(valuesOf.map(([table, values]) => [table, KEY_COST + values]));
  const costOf = (table: string) => cost.get(table) ?? KEY_COST;
  const events = sum(pieces.map((piece) => Number(piece[2])));
  const weight = sum(pieces.map((piece) => Number(piece[2]) * costOf(piece[0])));
  const perEvent = Number(engine?.[1] ?? 0) > 0 ? Number(engine?.[0]) / Number(engine?.[1]) : 0;
  const perValue = weight > 0 ? (perEvent * events) / weight : 0;
  const share = (table: string, count: number): Share => ({
    events: count,
    bytes: Math.round(count * costOf(table) * perValue),
  });

  const tables = new Map<string, TableUse>();
  const months = new Map<string, Share>();
  const devicesIn = new Map(devicesOf.map(([table, count]) => [table, Number(count)]));
  const since = new Map<string, number>();
  for (const [table, , , first] of pieces)
    since.set(table, Math.min(since.get(table) ?? Number(first), Number(first)));
  for (const [table, month, count, first, last, recent] of pieces) {
    const part = share(table, Number(count));
    months.set(month, plus(months.get(month), part));
    const use = tables.get(table);
    tables.set(table, {
      table,
      ...plus(use, part),
      devices: devicesIn.get(table) ?? 0,
      firstAt: Math.min(use?.firstAt ?? Number(first), Number(first)),
      lastAt: Math.max(use?.lastAt ?? Number(last), Number(last)),
      eventsPerDay: (use?.eventsPerDay ?? 0) + Number(recent) / paceDays(since.get(table) ?? 0),
    });
  }
  const byDevice = new Map<string, Share>();
  for (const [device, table, count] of devices)
    byDevice.set(device, plus(byDevice.get(device), share(table, Number(count))));
  return {
    tables: [...tables.values()].sort((a, b) => a.table.localeCompare(b.table)),
    devices: [...byDevice].map(([device, use]) => ({ device, ...use })).sort((a, b) => b.bytes - a.bytes),
    months: [...months].map(([month, use]) => ({ month, ...use })),
  };
}

/** Days that the pace is a mean of: all days of a table that began lately, and one at least. */
const paceDays = (since: number): number => Math.min(PACE_DAYS, Math.max(1, (Date.now() - since) / DAY_MS));

const plus = (a: Share | undefined, b: Share): Share => ({
  events: (a?.events ?? 0) + b.events,
  bytes: (a?.bytes ?? 0) + b.bytes,
});

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

/** How many values an event has, as an expression. */
const valuesIn = (): string =>
  [
    ...[...slotColumns('n'), ...slotColumns('s')].map((name) => `isNotNull(${name})`),
    'length(nx)',
    'length(sx)',
  ].join(' + ');

/** How many events of these tables are older than an instant (epoch ms), by table and month (its first day in UTC). */
export async function countBefore(
  clickhouse: ClickHouse,
  of: { workgroup: string; scope: DeviceScope; tables: readonly string[]; before: number },
): Promise<{ table: string; month: string; events: number }[]> {
  const bound = new Bound();
  const rows = await clickhouse.queryRows<[string, string, string]>(
    `SELECT tbl, toString(toStartOfMonth(event_time)) AS month, count() FROM telemetry.events
     WHERE workgroup = ${bound.add(of.workgroup, 'String')}
       AND tbl IN ${bound.add([...of.tables], 'Array(String)')} AND ${scopeFilter(of.scope, bound)}
       AND event_time < fromUnixTimestamp64Milli(${bound.add(Math.trunc(of.before), 'Int64')}, 'UTC')
     GROUP BY tbl, month ORDER BY month, tbl`,
    reading(bound, undefined, { max_execution_time: 60 }),
  );
  return rows.map(([table, month, events]) => ({ table, month, events: Number(events) }));
}

/** A month in UTC, epoch ms; its end is not included. */
export interface MonthSpan {
  from: number;
  to: number;
}

/** How much a table holds of each month (its first day in UTC) for the devices of the scope, oldest first; epoch ms. */
export async function readMonths(
  clickhouse: ClickHouse,
  of: { workgroup: string; scope: DeviceScope; table: string },
): Promise<{ month: string; events: number; firstAt: number; lastAt: number }[]> {
  const bound = new Bound();
  const rows = await clickhouse.queryRows<[string, number, number, number]>(
    `SELECT toString(toStartOfMonth(event_time)) AS month, toFloat64(count()),
       toFloat64(toUnixTimestamp64Milli(min(event_time))), toFloat64(toUnixTimestamp64Milli(max(event_time)))
     FROM telemetry.events WHERE workgroup = ${bound.add(of.workgroup, 'String')}
       AND tbl = ${bound.add(of.table, 'String')} AND ${scopeFilter(of.scope, bound)}
     GROUP BY month ORDER BY month`,
    reading(bound, undefined, { max_execution_time: 60 }),
  );
  return rows.map(([month, events, firstAt, lastAt]) => ({ month, events, firstAt, lastAt }));
}

interface SpanOf {
  workgroup: string;
  table: string;
  month: MonthSpan;
  /** Only what devices sent, not what was imported or computed. */
  isSentOnly: boolean;
}

const spanSql = ({ isSentOnly }: SpanOf): string => `workgroup = {workgroup:String} AND tbl = {table:String}
  AND event_time >= fromUnixTimestamp64Milli({from:Int64}, 'UTC') AND event_time < fromUnixTimestamp64Milli({to:Int64}, 'UTC')
  ${isSentOnly ? `AND msg_id < ${OWN_NUMBERS}` : ''}`;

const spanParams = ({ workgroup, table, month: { from, to } }: SpanOf) => ({ workgroup, table, from, to });

/** How many events a table has in a span. */
export async function countSpan(clickhouse: ClickHouse, of: SpanOf): Promise<number> {
  const sql = `SELECT toFloat64(count()) FROM telemetry.events WHERE ${spanSql(of)}`;
  const [row] = await clickhouse.queryRows<[number]>(sql, { params: spanParams(of) });
  return row?.[0] ?? 0;
}

/** Deletes the events of a table in a span; they cannot be read afterwards. */
export async function deleteSpan(clickhouse: ClickHouse, of: SpanOf): Promise<void> {
  for (const name of ['events', 'latest'])
    await clickhouse.exec(`ALTER TABLE telemetry.${name} DELETE WHERE ${spanSql(of)}`, {
      params: spanParams(of),
      settings: { mutations_sync: 2 },
    });
}

/** Streams without events from an instant (epoch ms) on: deleting what is before it may delete their newest one. */
export async function streamsUntil(
  clickhouse: ClickHouse,
  { workgroup, table, at }: { workgroup: string; table: string; at: number },
): Promise<{ device: string; table: string; source: string }[]> {
  const rows = await clickhouse.queryRows<[string, string]>(
    `SELECT DISTINCT toString(device), source FROM telemetry.events
     WHERE workgroup = {workgroup:String} AND tbl = {table:String}
       AND (device, source) NOT IN (SELECT device, source FROM telemetry.latest
         WHERE workgroup = {workgroup:String} AND tbl = {table:String}
           AND event_time >= fromUnixTimestamp64Milli({at:Int64}, 'UTC'))`,
    { params: { workgroup, table, at }, settings: { max_execution_time: 0 } },
  );
  return rows.map(([device, source]) => ({ device, table, source }));
}

/** A condition for events outside these months. */
const outside = (months: readonly MonthSpan[]): string =>
  months
    .map(
      (_, i) => `AND NOT (event_time >= fromUnixTimestamp64Milli({from${i}:Int64}, 'UTC')
        AND event_time < fromUnixTimestamp64Milli({to${i}:Int64}, 'UTC'))`,
    )
    .join(' ');

const outsideParams = (months: readonly MonthSpan[]): Record<string, number> =>
  Object.fromEntries(
    months.flatMap(({ from, to }, i) => [
      [`from${i}`, from],
      [`to${i}`, to],
    ]),
  );

/** Deletes the events of a table, all of them or those before an instant (epoch ms); they cannot be read afterwards. */
export async function deleteEvents(
  clickhouse: ClickHouse,
  of: { workgroup: string; table: string; before?: number; except?: readonly MonthSpan[] },
): Promise<void> {
  const { workgroup, table, before, except = [] } = of;
  const until =
    before === undefined ? '' : "AND event_time < fromUnixTimestamp64Milli({before:Int64}, 'UTC')";
  for (const name of ['events', 'latest'])
    await clickhouse.exec(
      `ALTER TABLE telemetry.${name} DELETE WHERE workgroup = {workgroup:String} AND tbl = {table:String} ${until} ${outside(except)}`,
      {
        params: {
          ...{ workgroup, table, ...outsideParams(except) },
          ...(before === undefined ? {} : { before: Math.trunc(before) }),
        },
        settings: { mutations_sync: 2 },
      },
    );
}

/** Whether a table has events before an instant, epoch ms. */
export async function hasEventsBefore(
  clickhouse: ClickHouse,
  of: { workgroup: string; table: string; before: number; except?: readonly MonthSpan[] },
): Promise<boolean> {
  const { workgroup, table, before, except = [] } = of;
  const rows = await clickhouse.queryRows(
    `SELECT 1 FROM telemetry.events WHERE workgroup = {workgroup:String} AND tbl = {table:String}
     AND event_time < fromUnixTimestamp64Milli({before:Int64}, 'UTC') ${outside(except)} LIMIT 1`,
    { params: { workgroup, table, before: Math.trunc(before), ...outsideParams(except) } },
  );
  return rows.length > 0;
}
