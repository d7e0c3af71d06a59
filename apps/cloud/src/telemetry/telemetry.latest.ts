import type { ClickHouse } from '@albedo/clickhouse/client';
import type { LatestSource } from '@albedo/contract/devices/devices.schema';
import type { DeviceScope } from '../access/device-scope.ts';
import type { FieldCatalog, TableFields } from './telemetry.catalog.ts';
import {
  Bound,
  type Cell,
  type Cells,
  cells,
  fieldList,
  RowReader,
  slotExpression,
} from './telemetry.columns.ts';
import { reading } from './telemetry.reading.ts';

/** What the store knows of a device. Instants are epoch ms; null where there is nothing. */
export interface StoredFacts {
  /** Newest event of any table. */
  lastEventAt: number;
  blackBox: { eventAt: number; values: Record<string, number | string | null> } | null;
  /** Mean of `cpu_usage` of the table `data` over the last 15 minutes, %. */
  cpuUsage: number | null;
}

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
  const bound = new Bound();
  const readers = new Readers(catalog, [workgroup]);
  const sources = scope.sources(device);
  const among = sources ? `AND source IN ${bound.add([...sources], 'Array(String)')}` : '';
  const sql = `SELECT tbl, source, toUnixTimestamp64Milli(event_time)${readers.select}
    FROM telemetry.latest FINAL
    WHERE workgroup = ${bound.add(workgroup, 'String')} AND device = ${bound.add(device, 'UUID')} ${among}
    ORDER BY tbl, source`;
  const rows = await clickhouse.queryRows<[string, string, string, ...Cell[]]>(sql, reading(bound, signal));
  return rows.map((row) => ({
    table: row[0],
    source: row[1],
    eventAt: Number(row[2]),
    values: readers.read(workgroup, row[0], row, 3),
  }));
}

export async function readFacts(
  clickhouse: ClickHouse,
  catalog: FieldCatalog,
  now: number,
): Promise<Map<string, StoredFacts>> {
  const ask = reading(null, undefined, { max_result_rows: 0 });
  const newest = await clickhouse.queryRows<[string, string]>(
    `SELECT toString(device), toUnixTimestamp64Milli(max(event_time)) FROM telemetry.latest GROUP BY device`,
    ask,
  );
  const facts = new Map<string, StoredFacts>(
    newest.map(([device, at]) => [device, { lastEventAt: Number(at), blackBox: null, cpuUsage: null }]),
  );
  const readers = new Readers(catalog, [...catalog.workgroups], 'black_box');
  const boxes = await clickhouse.queryRows<[string, string, string, ...Cell[]]>(
    `SELECT toString(device), workgroup, toUnixTimestamp64Milli(event_time)${readers.select}
     FROM telemetry.latest FINAL WHERE tbl = 'black_box' ORDER BY event_time DESC LIMIT 1 BY device`,
    ask,
  );
  for (const row of boxes) {
    const known = facts.get(row[0]);
    if (!known) continue;
    known.blackBox = { eventAt: Number(row[2]), values: readers.read(row[1], 'black_box', row, 3) };
  }
  for (const [device, mean] of await cpuMeans(clickhouse, catalog, now)) {
    const known = facts.get(device);
    if (known) known.cpuUsage = mean;
  }
  return facts;
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

  constructor(catalog: FieldCatalog, workgroups: readonly string[], only?: string) {
    let columns: string[] = [];
    for (const workgroup of workgroups) {
      for (const table of only === undefined ? catalog.tables(workgroup) : [only]) {
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
