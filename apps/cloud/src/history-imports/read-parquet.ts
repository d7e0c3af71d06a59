import { type AsyncBuffer, type FileMetaData, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { compressors, decompressZstd } from 'hyparquet-compressors';
import { type HistoryRecord, UnreadableFile } from '../mapping/history-records.ts';
import type { ForeignRecord } from '../mapping/read-records.ts';

/** Rows that are decoded at a time. */
const ROWS = 50_000;

/** Of a page, unpacked; writers make pages of about a megabyte. */
export const PAGE_BYTES = 64_000_000;
/** Rows of one group, which are decoded together; writers make groups of at most some million. */
export const GROUP_ROWS = 10_000_000;

type Unpack = (input: Uint8Array, bytes: number) => Uint8Array;

/** Those of the library, which unpack no page that is larger than it says, and none that says too much. */
const bounded = Object.fromEntries(
  Object.entries(compressors as Record<string, Unpack>).map(([codec, unpack]) => [
    codec,
    (input: Uint8Array, bytes: number): Uint8Array => {
      if (!(bytes <= PAGE_BYTES)) throw new Error(`a page of it unpacks to ${bytes} bytes`);
      // This one would take the size from the packed bytes themselves.
      return codec === 'ZSTD' ? decompressZstd(input, new Uint8Array(bytes)) : unpack(input, bytes);
    },
  ]),
);

/**
 * The rows of a Parquet file, a row group at a time; of `columns` alone, where they are given.
 *
 * Timestamps that are not adjusted to UTC, and dates, become texts without a zone: the zone of the plan is theirs.
 */
export async function* readParquet(
  file: AsyncBuffer,
  { columns, rows: most = Number.POSITIVE_INFINITY }: { columns?: ReadonlySet<string>; rows?: number } = {},
): AsyncGenerator<{ records: HistoryRecord[]; fraction: number }> {
  try {
    const metadata = await parquetMetadataAsync(file);
    const names = namesIn(metadata);
    const wanted = columns && names.filter((name) => columns.has(name));
    const locals = localColumns(metadata);
    const total = Number(metadata.num_rows);
    let groupStart = 0;
    for (const group of metadata.row_groups) {
      if (group.num_rows > GROUP_ROWS)
        throw new Error(`a group of it has ${group.num_rows} rows; write it with groups of a million`);
      const groupEnd = groupStart + Number(group.num_rows);
      for (let rowStart = groupStart; rowStart < Math.min(groupEnd, most); rowStart += ROWS) {
        const rowEnd = Math.min(groupEnd, rowStart + ROWS, most);
        const rows = await parquetReadObjects({
          file,
          metadata,
          compressors: bounded,
          rowStart,
          rowEnd,
          ...(wanted ? { columns: wanted } : {}),
        });
        yield {
          records: rows.map((row, i) => ({ line: rowStart + i + 1, record: recordOf(row, locals) })),
          fraction: total === 0 ? 1 : rowEnd / total,
        };
      }
      groupStart = groupEnd;
    }
  } catch (error) {
    throw new UnreadableFile(`This is no Parquet file that can be read (${(error as Error).message}).`);
  }
}

/** Names of the columns at the top. */
function namesIn({ schema }: FileMetaData): string[] {
  const names: string[] = [];
  let inside = 0;
  for (const { name, num_children: children = 0 } of schema.slice(1)) {
    if (inside === 0) names.push(name);
    else inside -= 1;
    inside += children;
  }
  return names;
}

/** Columns whose times are those of clocks; true for dates without one. */
function localColumns({ schema }: FileMetaData): Map<string, boolean> {
  const locals = new Map<string, boolean>();
  for (const { name, logical_type: type, converted_type: converted } of schema) {
    if (type?.type === 'TIMESTAMP' && !type.isAdjustedToUTC) locals.set(name, false);
    if (type?.type === 'DATE' || converted === 'DATE') locals.set(name, true);
  }
  return locals;
}

function recordOf(row: Record<string, unknown>, locals: ReadonlyMap<string, boolean>): ForeignRecord {
  if (locals.size === 0) return row;
  const record = { ...row };
  for (const [name, isDate] of locals) {
    const value = record[name];
    if (value instanceof Date) record[name] = value.toISOString().slice(0, isDate ? 10 : 23);
  }
  return record;
}
