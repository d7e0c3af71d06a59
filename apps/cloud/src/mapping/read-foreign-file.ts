import type { HistoryLayout } from '@albedo/contract/history-imports/history-imports.schema';
import { columnNames, type HeadRow, timeColumnIn, unitsIn } from './find-layout.ts';
import { type HistoryRecord, UnreadableFile } from './history-records.ts';
import { csvLayout, headOf, headRows, readCsvFile } from './read-csv-file.ts';
import { columnsOf, type ForeignRecord, readRecords } from './read-records.ts';
import { decoded, encodingOf } from './text-encoding.ts';
import { UnreadableRecords } from './unreadable-records.ts';

/** How many lines at the beginning are read to find the layout. */
const HEAD_ROWS = 200;
const COLUMNS = 500;

/** The content of a file. */
export interface ForeignFile {
  /** In file order; `line` counts lines in CSV, records in other formats. */
  records: HistoryRecord[];
  columns: string[];
  /** The unit below the name of each column, in CSV. */
  units: ReadonlyMap<string, string>;
  /** The delimiter, in CSV. */
  delimiter: ',' | ';' | '\t' | '|' | null;
}

interface ReadingOf {
  format: 'json' | 'xml' | 'csv';
  path: string;
  most: number;
  /** Columns that the file must have: the first has a value in every record. A line with all of these names is the header. */
  named?: readonly string[];
}

/**
 * Reads a file in any encoding; CSV may have other lines above its header. Throws `UnreadableRecords`, also if there are more
 * than `most` records.
 */
export async function readForeignFile(
  bytes: Buffer,
  { format, path, most, named = [] }: ReadingOf,
): Promise<ForeignFile> {
  if (format === 'csv') return readCsv(bytes, most, named);
  const text = await textOf(bytes, format);
  const records = readRecords(text, format, path);
  if (records.length > most) throw tooMany(most);
  return {
    records: records.map((record, i) => ({ line: i + 1, record })),
    columns: columnsIn(records),
    units: new Map(),
    delimiter: null,
  };
}

const columnsIn = (records: readonly ForeignRecord[]): string[] =>
  [...new Set(records.slice(0, 100).flatMap((record) => columnsOf(record)))].slice(0, COLUMNS);

async function readCsv(bytes: Buffer, most: number, named: readonly string[]): Promise<ForeignFile> {
  const encoding = await encodingOf(once(bytes));
  const head = await headOf(once(bytes), encoding);
  if (head.includes('\u0000')) throw new UnreadableRecords('This is no text. Choose the format of the file.');
  const guessed = csvLayout(head, encoding);
  const rows = headRows(head, guessed.delimiter).slice(0, HEAD_ROWS);
  const layout = { ...guessed, ...linesOf(rows, named) };
  const data = rows.filter(({ line }) => line >= layout.firstRecord);
  const columns = columnNames(rows, layout, timeColumnIn(data)).slice(0, COLUMNS);
  if (columns.length === 0) throw new UnreadableRecords('There is nothing in it that could be a table.');
  const units = unitsIn(rows.find(({ line }) => line === layout.units));
  const records: HistoryRecord[] = [];
  try {
    for await (const record of readCsvFile(once(bytes), layout, columns)) {
      records.push(record);
      if (records.length > most) throw tooMany(most);
    }
  } catch (error) {
    if (error instanceof UnreadableFile) throw new UnreadableRecords(error.message);
    throw error;
  }
  const withUnits = columns.flatMap((name, at) => (units[at] ? [[name, units[at]] as const] : []));
  return { records, columns, units: new Map(withUnits), delimiter: layout.delimiter };
}

/** Finds the header by the expected names, even if there are too few records to find it otherwise. */
function linesOf(rows: readonly HeadRow[], named: readonly string[]): Partial<HistoryLayout> {
  const [first] = named;
  if (first === undefined) return {};
  const at = rows.findIndex(({ cells }) => named.every((name) => cells.includes(name)));
  const names = rows[at];
  if (!names) return {};
  const place = names.cells.indexOf(first);
  const below = rows.slice(at + 1);
  const record = below.findIndex(({ cells }) => (cells[place] ?? '') !== '');
  const between = record < 0 ? below : below.slice(0, record);
  const firstRecord = below[record]?.line ?? (between.at(-1) ?? names).line + 1;
  return { headers: [names.line], units: between.at(0)?.line ?? null, firstRecord };
}

const tooMany = (most: number): UnreadableRecords =>
  new UnreadableRecords(`It has more than ${most} records. Bring it in with Admin > Data > Imports instead.`);

/** In pieces, so that reading the beginning does not decode everything. */
async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  const PIECE = 256 * 1024;
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE);
}

/** XML may declare its encoding. */
async function textOf(bytes: Buffer, format: 'json' | 'xml'): Promise<string> {
  const said =
    format === 'xml'
      ? /^[^<]*<\?xml[^>]*encoding=["']([\w-]{2,40})["']/.exec(bytes.subarray(0, 200).toString('latin1'))?.[1]
      : undefined;
  // If the text were UTF-16, this pattern would not have matched: many programs declare it wrongly.
  const isWrong = said === undefined || /^(?:utf-?16|ucs-?2|unicode$|iso-10646)/i.test(said);
  const decoder = isWrong ? null : decoderOf(said);
  if (decoder) return decoder.decode(bytes);
  let text = '';
  for await (const piece of decoded(once(bytes), await encodingOf(once(bytes)))) text += piece;
  return text;
}

function decoderOf(label: string): InstanceType<typeof TextDecoder> | null {
  try {
    return new TextDecoder(label);
  } catch {
    // An unknown encoding is guessed from the bytes.
    return null;
  }
}
