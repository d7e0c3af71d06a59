import {
  type HistoryLayout,
  SHEET_BYTES,
  SHEET_UNPACKED_BYTES,
} from '@albedo/contract/history-imports/history-imports.schema';
import type { HeadRow } from '../mapping/find-layout.ts';
import { type HistoryRecord, UnreadableFile } from '../mapping/history-records.ts';
import { recordOf } from '../mapping/read-csv-file.ts';
import { isSheet, readSheet, type SheetCell, UnreadableSheet } from '../mapping/read-sheet.ts';
import type { StoredFile } from './stored-file.ts';

export interface SheetRows {
  names: string[];
  /** Dates as clocks show them, numbers as numbers. */
  rows: (string | number)[][];
}

/** One sheet of a spreadsheet, the first one without a name. Throws `UnreadableFile`. */
export async function readSheetRows(file: StoredFile, sheet: string | null): Promise<SheetRows> {
  if (file.bytes > SHEET_BYTES)
    throw new UnreadableFile(
      `A spreadsheet can have up to ${SHEET_BYTES / 1e6} MB. Save a larger one as CSV.`,
    );
  const bytes = Buffer.from(await file.slice(0, file.bytes));
  if (!isSheet(bytes)) throw new UnreadableFile('This is no XLSX file. Save it as XLSX or CSV.');
  try {
    const { names, rows } = await readSheet(bytes, { unpackedBytes: SHEET_UNPACKED_BYTES, sheet });
    if (sheet !== null && !names.includes(sheet))
      throw new UnreadableFile(`There is no sheet called ${sheet}.`);
    return { names, rows: rows.map((row) => row.map(cellOf)) };
  } catch (error) {
    if (error instanceof UnreadableSheet) throw new UnreadableFile(error.message);
    throw error;
  }
}

/** The lines at the beginning of a sheet, without empty ones. */
export const sheetHead = (rows: SheetRows['rows'], most: number): HeadRow[] =>
  rows.slice(0, most).flatMap((row, i) => {
    const cells = row.map(String);
    while (cells.at(-1) === '') cells.pop();
    return cells.length === 0 ? [] : [{ line: i + 1, cells }];
  });

export function* sheetRecords(
  rows: SheetRows['rows'],
  { firstRecord }: HistoryLayout,
  columns: readonly string[],
): Generator<HistoryRecord> {
  for (let i = firstRecord - 1; i < rows.length; i++) {
    const row = rows[i] as SheetRows['rows'][number];
    if (row.every((cell) => cell === '')) continue;
    // Sheets leave out what is empty at the end of a row.
    const cells =
      row.length < columns.length ? [...row, ...Array(columns.length - row.length).fill('')] : row;
    yield recordOf(cells, columns, i + 1);
  }
}

function cellOf(cell: SheetCell): string | number {
  if (cell === null) return '';
  if (cell instanceof Date) return clockText(cell);
  return typeof cell === 'number' ? cell : String(cell).trim();
}

/** A date of a sheet says what clocks showed; times of day lie on the day before 1900. */
function clockText(date: Date): string {
  // Fractions of a day are a little beside the second.
  const exact = date.getTime();
  const second = Math.round(exact / 1000) * 1000;
  const at = Math.abs(exact - second) <= 50 ? second : exact;
  const text = new Date(at)
    .toISOString()
    .replace('T', ' ')
    .slice(0, at % 1000 === 0 ? 19 : 23);
  if (at < Date.UTC(1900, 0, 2)) return text.slice(11);
  return text.endsWith(' 00:00:00') ? text.slice(0, 10) : text;
}
