import { Readable } from 'node:stream';
import { CSV_ROWS } from '@albedo/contract/telemetry/search.schema';
import { Bound, type Cell, KEY_COLUMNS, RowReader } from './telemetry.columns.ts';
import { EVENTS, reading } from './telemetry.reading.ts';
import { orderOf, recordOf, wantedFields } from './telemetry.records.ts';
import { type SearchScope, whereIn } from './telemetry.where.ts';

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
export function csvOf(scope: SearchScope, rows: number | undefined): Readable {
  const { query, fields, clickhouse, signal } = scope;
  const names = wantedFields(scope);
  const columns = query.fields ?? [...BUILT_IN, ...names, ...AT_THE_END];
  const reader = new RowReader(fields, names);
  const bound = new Bound();
  const order = orderOf(scope, bound);
  const sql = `SELECT ${[...KEY_COLUMNS, ...reader.columns].join(', ')} FROM ${EVENTS}
    WHERE ${whereIn(scope, bound)} ORDER BY ${order} LIMIT ${bound.add(rows ?? CSV_ROWS, 'UInt64')}`;
  const pieces = clickhouse.stream<Cell[]>(sql, reading(bound, signal, PATIENCE));
  return Readable.from(lines(pieces, columns, (row) => recordOf(row, reader, query.fields)));
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
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
