import { pipeline, Readable } from 'node:stream';
import {
  DELIMITERS,
  type Delimiter,
  type Encoding,
  type HistoryLayout,
} from '@albedo/contract/history-imports/history-imports.schema';
import { CsvError, type Info, type Options, parse } from 'csv-parse';
import { parse as parseNow } from 'csv-parse/sync';
import { delimiterIn } from './csv-delimiter.ts';
import { findLines, type HeadRow, sureCells } from './find-layout.ts';
import { type HistoryRecord, LINE_BYTES, UnreadableFile } from './history-records.ts';
import type { ForeignRecord } from './read-records.ts';
import { decoded } from './text-encoding.ts';

const SHAPE = {
  record_delimiter: ['\r\n', '\n', '\r'],
  info: true,
  relax_column_count: true,
  trim: true,
  skip_empty_lines: true,
};
/** What spreadsheets write in the first line of their own. */
const SEP = /^sep=(.)(?:\r\n|\n|\r|$)/i;
/** Characters of the beginning that say how the rest is written. */
const HEAD = 200_000;

/** The beginning of a file, as text that ends with a line. */
export async function headOf(chunks: AsyncIterable<Buffer>, encoding: Encoding): Promise<string> {
  let text = '';
  for await (const piece of decoded(chunks, encoding)) {
    text += piece;
    if (text.length < HEAD) continue;
    const head = text.slice(0, HEAD);
    return head.slice(0, Math.max(head.lastIndexOf('\n'), head.lastIndexOf('\r')) + 1);
  }
  return text;
}

/** The lines of a beginning as that delimiter parts them; a line that is none is left out. */
export function headRows(head: string, delimiter: string): HeadRow[] {
  try {
    const rows = parseNow(head, { ...SHAPE, delimiter, relax_quotes: true, skip_records_with_error: true });
    return (rows as unknown as { record: string[]; info: Info }[]).map(({ record, info }) => ({
      line: info.lines,
      cells: record,
    }));
  } catch (error) {
    if (error instanceof CsvError) return [];
    throw error;
  }
}

/** How the file is written, by its beginning: the sign that parts most of its lines into numbers and times. */
export function csvLayout(head: string, encoding: Encoding): HistoryLayout {
  const named = SEP.exec(head)?.[1] as Delimiter | undefined;
  const signs = named && DELIMITERS.includes(named) ? [named] : DELIMITERS;
  const sure = signs.map((delimiter) => {
    const rows = headRows(head, delimiter).slice(0, 500);
    return { delimiter, rows, count: sureCells(rows) };
  });
  const most = Math.max(...sure.map(({ count }) => count));
  const usual = delimiterIn(head);
  const best =
    sure.find(({ delimiter, count }) => count === most && delimiter === usual) ??
    sure.find(({ count }) => count === most);
  const { delimiter, rows } = best as (typeof sure)[number];
  return { encoding, delimiter, sheet: null, ...findLines(rows.slice(0, 200)) };
}

/** The records of a CSV file, whose columns have these names. */
export async function* readCsvFile(
  chunks: AsyncIterable<Buffer>,
  { encoding, delimiter, firstRecord }: HistoryLayout,
  columns: readonly string[],
): AsyncGenerator<HistoryRecord> {
  const faults: HistoryRecord[] = [];
  const options: Options = {
    ...SHAPE,
    delimiter,
    from_line: firstRecord,
    skip_records_with_error: true,
    max_record_size: LINE_BYTES,
    on_skip: (error) => {
      if (error) faults.push({ line: Number(error.lines ?? 0), fault: error.message });
      return undefined;
    },
  };
  const parser = parse(options);
  pipeline(Readable.from(decoded(chunks, encoding), { objectMode: false }), parser, () => {});
  try {
    for await (const one of parser) {
      const { record: cells, info } = one as { record: string[]; info: Info };
      yield* faults.splice(0);
      if (cells.some((cell) => cell !== '')) yield recordOf(cells, columns, info.lines);
    }
  } catch (error) {
    if (error instanceof CsvError) throw new UnreadableFile(`Line ${error.lines}: ${error.message}`);
    throw error;
  }
  yield* faults;
}

/** A record of cells; empty ones at the end of a line may be there or not. */
export function recordOf(cells: readonly unknown[], columns: readonly string[], line: number): HistoryRecord {
  const isOver = cells.slice(columns.length).some((cell) => cell !== '' && cell !== null);
  if (isOver || cells.length < columns.length)
    return { line, fault: 'It has another number of columns than the header.' };
  const record: Record<string, unknown> = {};
  for (let at = 0; at < columns.length; at++) record[columns[at] as string] = cells[at] ?? '';
  return { line, record: record satisfies ForeignRecord };
}
