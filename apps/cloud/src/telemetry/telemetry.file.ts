import type { Readable } from 'node:stream';
import { CSV_ROWS } from '@albedo/contract/telemetry/search.schema';
import { Bound, columnOf } from './telemetry.columns.ts';
import { PATIENCE } from './telemetry.csv.ts';
import { EVENTS, reading } from './telemetry.reading.ts';
import { orderOf, wantedFields } from './telemetry.records.ts';
import { type SearchScope, whereIn } from './telemetry.where.ts';

/** Formats that the engine writes by itself. */
export type FileFormat = 'JSONEachRow' | 'Parquet';

const BUILT_IN = ['device', 'event_time', 'source'];
const AT_THE_END = ['msg_id', 'store_time'];

/**
 * The records of a search as the engine writes them, `CSV_ROWS` of them at most, piece by piece.
 *
 * Numbers are doubles, dates are instants in UTC, yes and no are booleans; a field that was sent as number and as text is
 * text, and so is one with whole numbers beyond 2^53, which has all their digits. Gaps: null where an event does not have the field. What fails while it is read breaks the stream off.
 */
export function fileOf(scope: SearchScope, format: FileFormat): Promise<Readable> {
  const { query, clickhouse, signal } = scope;
  const names = query.fields ?? [...BUILT_IN, ...wantedFields(scope), ...AT_THE_END];
  const bound = new Bound();
  // Fields may be called like columns, so inside they have names of their own, and conditions mean columns alone.
  const inner = names.map((name, i) => `${storedValue(scope, name, bound)} AS out${i}`);
  const outer = names.map((name, i) => `out${i} AS ${bound.add(name, 'Identifier')}`);
  const sql = `SELECT ${outer.join(', ')} FROM (SELECT ${inner.join(', ')} FROM ${EVENTS}
    WHERE ${whereIn(scope, bound)} ORDER BY ${orderOf(scope, bound)} LIMIT ${bound.add(CSV_ROWS, 'UInt64')})`;
  return clickhouse.bytes(sql, format, reading(bound, signal, { ...PATIENCE, ...WRITING[format] }));
}

const WRITING: Readonly<Record<FileFormat, Readonly<Record<string, string | number>>>> = {
  JSONEachRow: { date_time_output_format: 'iso', output_format_json_quote_64bit_integers: 0 },
  Parquet: { output_format_parquet_string_as_string: 1, output_format_parquet_compression_method: 'zstd' },
};

function storedValue({ table, fields }: SearchScope, name: string, bound: Bound): string {
  const { t, n, s, type, isBuiltIn } = columnOf(table, fields, name, bound);
  if (t !== null) return t;
  if (n === null) return s as string;
  if (isBuiltIn) return n;
  if (s !== null) return `coalesce(${s}, toString(${n}))`;
  if (type === 'date') return `fromUnixTimestamp64Milli(toInt64(${n}), 'UTC')`;
  return type === 'bool' ? `CAST(${n} != 0, 'Nullable(Bool)')` : n;
}
