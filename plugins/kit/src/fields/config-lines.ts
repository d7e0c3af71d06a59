import { parse } from 'csv-parse/sync';
import { InputError } from '../command-line/input-error.ts';
import { messageOf } from '../command-line/log.ts';

export interface ConfigLine {
  cells: string[];
  /** From 1. */
  line: number;
}

/** The lines of a configuration; blank ones and those that begin with `#` are left out. Throws `InputError`. */
export function readConfigLines(text: string, file: string): ConfigLine[] {
  try {
    const records = parse(text, {
      bom: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      info: true,
      trim: true,
      comment: '#',
      comment_no_infix: true,
      skip_empty_lines: true,
      relax_column_count: true,
    }) as unknown as { record: string[]; info: { lines: number } }[];
    return records.map(({ record, info }) => ({ cells: record, line: info.lines }));
  } catch (error) {
    throw new InputError(`${file}: ${messageOf(error)}`);
  }
}
