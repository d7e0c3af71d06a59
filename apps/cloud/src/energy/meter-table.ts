import { ENERGY_LIMITS } from '@albedo/contract/energy/energy.names';
import { CsvError, parse } from 'csv-parse/sync';
import { readXlsx } from 'hucre/xlsx';
import { AppError } from '../errors/app-error.ts';
import { delimiterIn } from '../mapping/csv-delimiter.ts';
import { zipDirectory } from './zip-directory.ts';

/** A line of a file with its number; cells are texts, or what a spreadsheet holds. */
export interface TableLine {
  line: number;
  cells: (string | number | Date | null)[];
}

const unreadable = (why: string) => new AppError('energy.import_unreadable', { why });
/** Parts of a spreadsheet. */
const PARTS = 2000;

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

/** What it would unpack to is asked of its directory first, and that nothing in it is a program. */
async function sheetLines(bytes: Buffer): Promise<TableLine[]> {
  const parts = zipDirectory(bytes);
  if (!parts) throw unreadable('The spreadsheet is damaged.');
  const unpacked = parts.reduce((sum, part) => sum + part.unpacked, 0);
  if (unpacked > ENERGY_LIMITS.importBytes || parts.length > PARTS)
    throw unreadable('It unpacks to more than 100 MB.');
  if (parts.some(({ name }) => /vbaProject\.bin|\/(activeX|embeddings|macrosheets)\//i.test(name)))
    throw unreadable('It has macros or embedded files. Save it as XLSX or CSV without them.');
  try {
    const { sheets } = await readXlsx(bytes, { sheets: [0] });
    const rows = sheets[0]?.rows ?? [];
    return rows.flatMap((row, i) => {
      const cells = row.map((cell) =>
        cell instanceof Date || typeof cell === 'number' ? cell : cell == null ? null : String(cell).trim(),
      );
      return cells.every((cell) => cell === null || cell === '') ? [] : [{ line: i + 1, cells }];
    });
  } catch (error) {
    throw unreadable(error instanceof Error ? error.message : String(error));
  }
}
