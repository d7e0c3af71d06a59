import { Readable } from 'node:stream';
import { SITE_ZONE } from '@albedo/contract/csv/csv.names';
import type { CsvStyle } from '@albedo/contract/csv/csv-style.schema';
import { type CsvColumn, type CsvValue, CsvWriter, defused } from '@albedo/contract/csv/csv-writer';
import { readSite } from '@albedo/contract/plants/plant-site';
import { CSV_ROWS } from '@albedo/contract/telemetry/search.schema';
import type { DeviceRegistry } from '../registry/registry.ts';
import { Bound, type Cell, KEY_COLUMNS, RowReader } from './telemetry.columns.ts';
import { EVENTS, reading } from './telemetry.reading.ts';
import { orderOf, recordOf, wantedFields } from './telemetry.records.ts';
import { type SearchScope, whereIn } from './telemetry.where.ts';

/** How somebody wants the file, and what is told of devices in it. */
export interface CsvHow {
  style: CsvStyle;
  devices: Pick<DeviceRegistry, 'known'>;
}

const TIMES = ['event_time', 'store_time'];
const BUILT_IN = ['device', 'event_time', 'source'];
const AT_THE_END = ['msg_id', 'store_time'];

/** A download takes as long as its reader's line. */
export const PATIENCE = {
  max_execution_time: 3600,
  max_result_rows: 0,
  max_result_bytes: 0,
  max_bytes_before_external_sort: 500_000_000,
  send_timeout: 3600,
  receive_timeout: 3600,
};

/**
 * The records of a search as CSV with a line of names, piece by piece as they come out of the store.
 *
 * Gaps: a field that an event does not have is empty. Lines end with CRLF, as RFC 4180 has it.
 */
export function csvOf(scope: SearchScope, rows: number | undefined, how?: CsvHow): Readable {
  const { query, fields, clickhouse, signal } = scope;
  const names = wantedFields(scope);
  const columns = query.fields ?? [...BUILT_IN, ...names, ...AT_THE_END];
  const reader = new RowReader(fields, names);
  const bound = new Bound();
  const order = orderOf(scope, bound);
  const sql = `SELECT ${[...KEY_COLUMNS, ...reader.columns].join(', ')} FROM ${EVENTS}
    WHERE ${whereIn(scope, bound)} ORDER BY ${order} LIMIT ${bound.add(rows ?? CSV_ROWS, 'UInt64')}`;
  const pieces = clickhouse.stream<Cell[]>(sql, reading(bound, signal, PATIENCE));
  const recordAt = (row: Cell[]) => recordOf(row, reader, query.fields);
  return Readable.from(
    how ? styled(scope, pieces, columns, recordAt, how) : lines(pieces, columns, recordAt),
  );
}

/** The same as somebody wants it: numbers and times in their way, units in the first line, names beside ids. */
async function* styled(
  { fields }: SearchScope,
  pieces: AsyncIterable<Cell[][]>,
  names: readonly string[],
  recordAt: (row: Cell[]) => Record<string, Cell>,
  { style, devices }: CsvHow,
): AsyncGenerator<string> {
  const zoneOf = zonesOf(devices);
  const columns = names.flatMap(
    (name): (CsvColumn & { read: (record: Record<string, Cell>) => CsvValue })[] => {
      const slot = fields.n.get(name) ?? fields.s.get(name);
      const isTime = TIMES.includes(name) || slot?.type === 'date';
      const units = isTime ? null : slot?.units;
      const own = {
        title: name,
        units,
        isTime,
        read: (record: Record<string, Cell>) => {
          const value = record[name] ?? null;
          return isTime && value !== null ? new Date(value) : value;
        },
      };
      if (name !== 'device' || !style.names) return [own];
      return [own, { title: 'device name', read: ({ device }) => devices.known(String(device))?.name }];
    },
  );
  const writer = new CsvWriter(columns, style);
  const hasZones = style.timezone === SITE_ZONE;
  yield writer.head();
  for await (const rows of pieces) {
    let text = '';
    for (const row of rows) {
      const record = recordAt(row);
      const values = columns.map(({ read }) => read(record));
      text += writer.row(values, hasZones ? zoneOf(String(row[0])) : undefined);
    }
    yield text;
  }
}

/** The zone of the site of each device. */
function zonesOf(devices: CsvHow['devices']): (device: string) => string {
  const zones = new Map<string, string>();
  return (device) => {
    let zone = zones.get(device);
    if (zone === undefined) {
      zone = readSite(devices.known(device)?.info ?? {}).timeZone ?? 'UTC';
      zones.set(device, zone);
    }
    return zone;
  };
}

async function* lines(
  pieces: AsyncIterable<Cell[][]>,
  columns: readonly string[],
  recordAt: (row: Cell[]) => Record<string, Cell>,
): AsyncGenerator<string> {
  yield line(columns);
  for await (const rows of pieces) {
    yield rows
      .map((row) => {
        const record = recordAt(row);
        return line(columns.map((name) => record[name] ?? null));
      })
      .join('');
  }
}

const line = (values: readonly Cell[]): string => `${values.map(csvCell).join(',')}\r\n`;

function csvCell(value: Cell): string {
  if (value === null) return '';
  const text = typeof value === 'string' ? defused(value) : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
