import type { ClickHouse } from '@albedo/clickhouse/client';
import type { SearchFilter } from '@albedo/contract/telemetry/search.schema';
import type { DeviceScope } from '../access/device-scope.ts';
import type { TableFields } from './telemetry.catalog.ts';
import {
  Bound,
  type Cell,
  type Cells,
  cells,
  columnOf,
  fieldList,
  KEY_COLUMNS,
  RowReader,
} from './telemetry.columns.ts';
import { type Demands, whereOf } from './telemetry.filters.ts';
import { EVENTS, reading } from './telemetry.reading.ts';

/** Events of one table, newest first, from one of them on. */
export interface PageQuery {
  timeframe: { from: number; to: number };
  filters: SearchFilter[];
  /** A part of the text of one of the fields, whatever the case; events of `devices` are found without it. */
  text: { fields: readonly string[]; contains: string; devices: readonly string[] } | null;
  /** Only what stands after this one: older, or of the same instant with a smaller number. */
  before: { at: number; msgId: string } | null;
  rows: number;
}

const EVERYTHING: Demands = {
  filters: [],
  filterOperator: 'AND',
  range: { from: null, to: null },
  dateField: 'event_time',
  timezone: 'UTC',
};

interface Scope {
  clickhouse: ClickHouse;
  workgroup: string;
  devices: DeviceScope;
  table: string;
  fields: TableFields;
}

/** A page of whole events. Pages hang together whatever is stored in between, and however much shares an instant. */
export async function readPage(
  { clickhouse, workgroup, devices, table, fields }: Scope,
  query: PageQuery,
  signal: AbortSignal | undefined,
): Promise<Cells[]> {
  const bound = new Bound();
  const reader = new RowReader(
    fields,
    fieldList(fields).map(({ name }) => name),
  );
  const { timeframe, filters, text, before } = query;
  const where: Demands = { ...EVERYTHING, range: timeframe, filters };
  const parts = [whereOf(workgroup, devices, table, fields, where, bound)];
  if (text) {
    const wanted = bound.add(text.contains, 'String');
    const known = text.fields.filter((name) => fields.s.has(name));
    const hits = known.map((name) => {
      const column = columnOf(table, fields, name, bound).s;
      return `positionCaseInsensitiveUTF8(ifNull(${column}, ''), ${wanted}) > 0`;
    });
    if (text.devices.length > 0) hits.push(`device IN ${bound.add(text.devices, 'Array(UUID)')}`);
    parts.push(hits.length > 0 ? `(${hits.join(' OR ')})` : '0');
  }
  if (before) {
    const at = `fromUnixTimestamp64Milli(${bound.add(before.at, 'Int64')}, 'UTC')`;
    const id = bound.add(before.msgId, 'UInt64');
    parts.push(`(event_time < ${at} OR (event_time = ${at} AND msg_id < ${id}))`);
  }
  const sql = `SELECT ${[...KEY_COLUMNS, ...reader.columns].join(', ')} FROM ${EVENTS}
    WHERE ${parts.join(' AND ')} ORDER BY event_time DESC, msg_id DESC LIMIT ${bound.add(query.rows, 'UInt32')}`;
  const rows = await clickhouse.queryRows<Cell[]>(sql, reading(bound, signal));
  return rows.map((row) => {
    const record = cells({
      device: row[0] ?? null,
      event_time: new Date(Number(row[1])).toISOString(),
      msg_id: String(row[3]),
    });
    reader.read(row, KEY_COLUMNS.length, record);
    return record;
  });
}

/** The different texts of a field, by name. */
export async function readTexts(
  { clickhouse, workgroup, devices, table, fields }: Scope,
  field: string,
): Promise<string[]> {
  const bound = new Bound();
  if (!fields.s.has(field)) return [];
  const column = columnOf(table, fields, field, bound).s;
  const where = whereOf(workgroup, devices, table, fields, EVERYTHING, bound);
  const sql = `SELECT DISTINCT ${column} AS text FROM ${EVENTS}
    WHERE ${where} AND isNotNull(text) ORDER BY text LIMIT 500`;
  return (await clickhouse.queryRows<[string]>(sql, reading(bound))).map(([text]) => text);
}
