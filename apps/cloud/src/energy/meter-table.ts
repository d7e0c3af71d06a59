import { ENERGY_LIMITS } from '@albedo/contract/energy/energy.names';
import { CsvError, parse } from 'csv-parse/sync';
import { AppError } from '../errors/app-error.ts';
import { delimiterIn } from '../mapping/csv-delimiter.ts';
import { readSheet, UnreadableSheet } from '../mapping/read-sheet.ts';

/** A line of a file with its number; cells are texts, or what a spreadsheet holds. */
export interface TableLine {
  line: number;
  cells: (string | number | Date | null)[];
}

const unreadable = (why: string) => new AppError('energy.import_unreadable', { why });

/** The lines of a CSV file or of the first sheet of a spreadsheet, without empty ones. Throws `energy.import_unreadable`. */
export async function tableLines(name: string, bytes: Buffer): Promise<TableLine[]> {
  return bytes.subarray(0, 4).equals(Buffer.from('PK\u0003\u0004'))
    ? sheetLines(bytes)
    : csvLines(name, bytes);
}

function csvLines(name: string, bytes: Buffer): TableLine[] {
  if (/\.(xlsx|xlsm|xls|ods)$/i.test(name)) throw unreadable('This is no spreadsheet.');
  const isWide = bytes[0] === 0xff && bytes[1] === 0xfe;
  const text = new TextDecoder(isWide ? 'utf-16le' : 'utf-8').decode(bytes);
  if (text.includes('\u0000')) throw unreadable('This is no text.');
  try {
    const records = parse(text, {
      delimiter: delimiterIn(text),
      record_delimiter: ['\r\n', '\n', '\r'],
      bom: true,
      trim: true,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
    }) as unknown as { record: string[]; info: { lines: number } }[];
    return records.map(({ record, info }) => ({ line: info.lines, cells: record }));
  } catch (error) {
    if (error instanceof CsvError) throw unreadable(error.message);
    throw error;
  }
}

async function sheetLines(bytes: Buffer): Promise<TableLine[]> {
  try {
    const { rows } = await readSheet(bytes, { unpackedBytes: ENERGY_LIMITS.importBytes });
    return rows.flatMap((row, i) => {
      const cells = row.map((cell) =>
        cell instanceof Date || typeof cell === 'number' ? cell : cell == null ? null : String(cell).trim(),
      );
      return cells.every((cell) => cell === null || cell === '') ? [] : [{ line: i + 1, cells }];
    });
  } catch (error) {
    if (error instanceof UnreadableSheet) throw unreadable(error.message);
    throw error;
  }
}
