import { parse } from 'csv-parse/sync';
import { type Arguments, checkArguments, type Options } from '../command-line/arguments.ts';
import { InputError } from '../command-line/input-error.ts';
import { messageOf } from '../command-line/log.ts';

const DEFAULT_FREQUENCY_S = 5;

export interface ServiceRow {
  /** Line of the file, from 1. */
  line: number;
  /** Column `_name` where there is one, else the line. */
  name: string;
  intervalMs: number;
  args: Arguments;
}

export interface ServiceFile {
  rows: ServiceRow[];
  /** One for each row that was left out, naming file and line. */
  faults: InputError[];
}

interface CsvRecord {
  record: string[];
  info: { lines: number };
}

/**
 * Reads a service file: a header with the plugin's argument names, then one target a row.
 *
 * `frequency` (whole seconds) and `flags` (names of flags with colons between) are reserved, columns that begin with `_`
 * are ignored. Throws `InputError` for a file without header or without any valid row.
 */
export function parseServiceFile(
  text: string,
  file: string,
  positionals: string[],
  options: Options,
): ServiceFile {
  const lines = readLines(text, file);
  const header = lines[0]?.record.map((name) => name.trim());
  if (!header) throw new InputError(`${file}: the file is empty`);
  checkHeader(header, file, positionals, options);
  const rows: ServiceRow[] = [];
  const faults: InputError[] = [];
  for (const { record, info } of lines.slice(1)) {
    try {
      rows.push(parseRow(header, record, info.lines, positionals, options));
    } catch (error) {
      faults.push(new InputError(`${file}, line ${info.lines}: ${messageOf(error)}`));
    }
  }
  if (rows.length === 0) {
    throw new InputError([...faults.map(messageOf), `${file}: no valid row`].join('\n'));
  }
  return { rows, faults };
}

function readLines(text: string, file: string): CsvRecord[] {
  try {
    return parse(text, {
      bom: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      info: true,
      trim: true,
      comment: '#',
      comment_no_infix: true,
      skip_empty_lines: true,
      relax_column_count: true,
    }) as unknown as CsvRecord[];
  } catch (error) {
    throw new InputError(`${file}: ${messageOf(error)}`);
  }
}

function checkHeader(header: string[], file: string, positionals: string[], options: Options): void {
  const known = (name: string) =>
    name.startsWith('_') ||
    name === 'frequency' ||
    name === 'flags' ||
    positionals.includes(name) ||
    name in options;
  for (const name of header) {
    if (!known(name)) throw new InputError(`${file}, line 1: there is no argument "${name}"`);
  }
  for (const name of positionals) {
    if (!header.includes(name)) throw new InputError(`${file}, line 1: the column ${name} is missing`);
  }
}

function parseRow(
  header: string[],
  cells: string[],
  line: number,
  positionals: string[],
  options: Options,
): ServiceRow {
  if (cells.length > header.length) {
    throw new InputError(`${cells.length} values for ${header.length} columns; quote a value with commas`);
  }
  const cell = (name: string) => cells[header.indexOf(name)]?.trim() ?? '';
  const frequency = cell('frequency');
  if (!/^\d*$/.test(frequency) || frequency === '0') {
    throw new InputError(`frequency: "${frequency}" is no whole number of seconds from 1`);
  }
  const given: Record<string, string | boolean> = {};
  for (const name of header) {
    if (!name.startsWith('_') && name !== 'frequency' && name !== 'flags' && cell(name) !== '')
      given[name] = cell(name);
  }
  for (const flag of cell('flags')
    .split(':')
    .map((name) => name.trim())
    .filter(Boolean)) {
    if (options[flag]?.kind !== 'flag') throw new InputError(`flags: there is no flag "${flag}"`);
    given[flag] = true;
  }
  return {
    line,
    name: cell('_name') || `line ${line}`,
    intervalMs: (frequency === '' ? DEFAULT_FREQUENCY_S : Number(frequency)) * 1000,
    args: checkArguments(given, positionals, options),
  };
}
