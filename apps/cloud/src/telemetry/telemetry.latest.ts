import type { ClickHouse } from '@albedo/clickhouse/client';
import type { LatestSource } from '@albedo/contract/devices/devices.schema';
import type { LatestValue } from '@albedo/contract/latest-values/latest-values.schema';
import { CLOUD_TABLES } from '@albedo/contract/telemetry/telemetry.schema';
import type { DeviceScope } from '../access/device-scope.ts';
import type { FieldCatalog, TableFields } from './telemetry.catalog.ts';
import {
  Bound,
  type Cell,
  type Cells,
  cells,
  columnOf,
  fieldList,
  RowReader,
  slotExpression,
} from './telemetry.columns.ts';
import { reading } from './telemetry.reading.ts';
import { scopeFilter } from './telemetry.scope.ts';

/** What the store knows of a device. Instants are epoch ms; null where there is nothing. */
export interface StoredFacts {
  /** Newest event of any table that the device itself sent. */
  lastEventAt: number;
  blackBox: { eventAt: number; values: Record<string, number | string | null> } | null;
  /** Mean of `cpu_usage` of the table `data` over the last 15 minutes, %. */
  cpuUsage: number | null;
}

/** The newest values of a source, and whose it is. */
export type LatestOfDevice = LatestSource & { device: string };

const CPU_WINDOW_MS = 15 * 60_000;

/** Fields that an event does not have are left out. */
export async function readLatest(
  clickhouse: ClickHouse,
  catalog: FieldCatalog,
  workgroup: string,
  scope: DeviceScope,
  device: string,
  signal?: AbortSignal,
): Promise<LatestSource[]> {
  const sources = scope.sources(device);
  const where = (bound: Bound) => {
    const among = sources ? ` AND source IN ${bound.add([...sources], 'Array(String)')}` : '';
    return `device = ${bound.add(device, 'UUID')}${among}`;
  };
  const all = await readLatestWhere(clickhouse, catalog, { workgroup, where }, signal);
  return all.map(({ device: _one, ...latest }) => latest);
}

/** The newest values of every source of every device that the scope has, in some tables. */
export function readLatestIn(
  clickhouse: ClickHouse,
  catalog: FieldCatalog,
  workgroup: string,
  scope: DeviceScope,
  tables: readonly string[],
  signal?: AbortSignal,
): Promise<LatestOfDevice[]> {
  const where = (bound: Bound) =>
    `tbl IN ${bound.add(tables, 'Array(String)')} AND ${scopeFilter(scope, bound)}`;
  return readLatestWhere(clickhouse, catalog, { workgroup, tables, where }, signal);
}

async function readLatestWhere(
  clickhouse: ClickHouse,
  catalog: FieldCatalog,
  of: { workgroup: string; tables?: readonly string[]; where: (bound: Bound) => string },
  signal: AbortSignal | undefined,
): Promise<LatestOfDevice[]> {
  const { workgroup } = of;
  const bound = new Bound();
  const readers = new Readers(catalog, [workgroup], of.tables);
  const sql = `SELECT toString(device), tbl, source, toUnixTimestamp64Milli(event_time)${readers.select}
    FROM telemetry.latest FINAL
    WHERE workgroup = ${bound.add(workgroup, 'String')} AND ${of.where(bound)}
    ORDER BY device, tbl, source`;
  const rows = await clickhouse.queryRows<[string, string, string, string, ...Cell[]]>(
    sql,
    reading(bound, signal),
  );
  return rows.map((row) => ({
    device: row[0],
    table: row[1],
    source: row[2],
    eventAt: Number(row[3]),
    values: readers.read(workgroup, row[1], row, 4),
  }));
}

/** The newest value of one field in every source of every device that the scope has; null where its event has none. */
export async function readLatestOf(
  of: { clickhouse: ClickHouse; workgroup: string; devices: DeviceScope; table: string; fields: TableFields },
  field: string,
  signal?: AbortSignal,
): Promise<LatestValue[]> {
  const bound = new Bound();
  const { t, n, s } = columnOf(of.table, of.fields, field, bound);
  // An event with both has a number and its exact digits.
  const columns = [t && `toUnixTimestamp64Milli(${t})`, s, n].filter((column) => column !== null);
  const sql = `SELECT toString(device), source, toUnixTimestamp64Milli(event_time), ${columns.join(', ')}
    FROM telemetry.latest FINAL
    WHERE workgroup = ${bound.add(of.workgroup, 'String')} AND tbl = ${bound.add(of.table, 'String')}
      AND ${scopeFilter(of.devices, bound)}
    ORDER BY device, source`;
  const rows = await of.clickhouse.queryRows<[string, string, string, ...Cell[]]>(
    sql,
    reading(bound, signal),
  );
  return rows.map(([device, source, eventAt, first, second]) => ({
    device,
    source,
    eventAt: Number(eventAt),
    value: first ?? second ?? null,
  }));
}

export async function readFacts(
  clickhouse: ClickHouse,
  catalog: FieldCatalog,
  now: number,
): Promise<Map<string, StoredFacts>> {
  const ask = reading(null, undefined, { max_result_rows: 0 });
  const bound = new Bound();
  const newest = await named(
    'no results returned',
    clickhouse.queryRows<[string, string]>(
      `SELECT toString(device), toUnixTimestamp64Milli(max(event_time)) FROM telemetry.latest
       WHERE tbl NOT IN ${bound.add([...CLOUD_TABLES], 'Array(String)')} GROUP BY device`,
      reading(bound, undefined, { max_result_rows: 0 }),
    ),
  );
  const facts = new Map<string, StoredFacts>(
    newest.map(([device, at]) => [device, { lastEventAt: Number(at), blackBox: null, cpuUsage: null }]),
  );
  const readers = new Readers(catalog, [...catalog.workgroups], ['black_box']);
  const boxes = await named(
    'historic results not returned from table black_box',
    clickhouse.queryRows<[string, string, string, ...Cell[]]>(
      `SELECT toString(device), workgroup, toUnixTimestamp64Milli(event_time)${readers.select}
       FROM telemetry.latest FINAL WHERE tbl = 'black_box' AND source = 'Black box'`,
      ask,
    ),
  );
  for (const row of boxes) {
    const known = facts.get(row[0]);
    if (!known) continue;
    known.blackBox = { eventAt: Number(row[2]), values: readers.read(row[1], 'black_box', row, 3) };
  }
  const means = await named('results not returned from table data', cpuMeans(clickhouse, catalog, now));
  for (const [device, mean] of means) {
    const known = facts.get(device);
    if (known) known.cpuUsage = mean;
  }
  return facts;
}

/** Says which part of the health of devices could not be read; the cause is logged with it. Source: specification 2, section 8. */
async function named<T>(text: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    throw new Error(text, { cause });
  }
}

/** The field has the same slot in most workgroups, so one query for each slot. */
async function cpuMeans(
  clickhouse: ClickHouse,
  catalog: FieldCatalog,
  now: number,
): Promise<[string, number][]> {
  const bySlot = new Map<number, string[]>();
  for (const workgroup of catalog.workgroups) {
    const slot = catalog.table(workgroup, 'data')?.n.get('cpu_usage')?.slot;
    if (slot !== undefined) bySlot.set(slot, [...(bySlot.get(slot) ?? []), workgroup]);
  }
  const means: [string, number][] = [];
  for (const [slot, workgroups] of bySlot) {
    const bound = new Bound();
    const value = slotExpression({ field: 'cpu_usage', kind: 'n', slot, type: 'decimal', units: '' }, bound);
    const sql = `SELECT toString(device), avg(${value}) AS mean FROM telemetry.events FINAL
      WHERE workgroup IN ${bound.add(workgroups, 'Array(String)')} AND tbl = 'data'
        AND event_time >= fromUnixTimestamp64Milli(${bound.add(now - CPU_WINDOW_MS, 'Int64')}, 'UTC')
        AND isNotNull(${value}) GROUP BY device`;
    means.push(...(await clickhouse.queryRows<[string, number]>(sql, reading(bound))));
  }
  return means;
}

/** Readers of rows of several tables that were asked for with one list of columns. */
class Readers {
  readonly #readers = new Map<string, RowReader>();
  /** Columns to append to a SELECT, with a leading comma. */
  readonly select: string;

  constructor(catalog: FieldCatalog, workgroups: readonly string[], only?: readonly string[]) {
    let columns: string[] = [];
    for (const workgroup of workgroups) {
      for (const table of only ?? catalog.tables(workgroup)) {
        const fields: TableFields | null = catalog.table(workgroup, table);
        if (!fields) continue;
        const names = fieldList(fields).map(({ name }) => name);
        const reader = new RowReader(fields, names, columns);
        columns = reader.columns;
        this.#readers.set(`${workgroup}\n${table}`, reader);
      }
    }
    this.select = columns.map((column) => `, ${column}`).join('');
  }

  read(workgroup: string, table: string, row: readonly Cell[], offset: number): Cells {
    const values = cells();
    this.#readers.get(`${workgroup}\n${table}`)?.read(row, offset, values, false);
    return values;
  }
}
