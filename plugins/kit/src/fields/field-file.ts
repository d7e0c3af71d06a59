import { InputError } from '../command-line/input-error.ts';
import { messageOf } from '../command-line/log.ts';
import { type Column, columnType } from '../records/record.ts';
import { readConfigLines } from './config-lines.ts';
import { type NotMeasured, parseNotMeasured } from './not-measured.ts';
import { isPlainScale, parseLookup, parseScale, type Scale } from './scale.ts';

/** One value of a machine and the column that it fills. */
export interface Field {
  line: number;
  table: string;
  /** May hold placeholders of the plugin, such as `{ENDPOINT}`; empty stands for the plugin's own name of the machine. */
  source: string;
  column: Column;
  /** Where the machine has it, as its protocol says. */
  address: string;
  scale: Scale;
  names: Map<string, string> | null;
  /** What the machine says while it measures nothing. */
  notMeasured: NotMeasured;
}

const MOST_FIELDS = 5000;

/** What stands in a line, for the help of the argument that takes such a file, with an example of the plugin. */
export const fieldFileHelp = (example: string): string =>
  `a line each: table, source, variable, address, type, units, scale, lookup, not measured; such as ${example}`;

/**
 * Reads a configuration with one line for each value: table, source, variable, address, type, units, scale, lookup
 * table, what means "not measured". The last four may be missing; without a type a value is a keyword.
 *
 * `checkAddress` throws what is wrong with an address. Lines that begin with an underscore go to `takeLine`.
 * Throws one `InputError` that names every fault with its line.
 */
export function parseFieldFile(
  text: string,
  file: string,
  checkAddress: (address: string) => void,
  takeLine: (name: string, cells: string[]) => void = (name) => {
    throw new InputError(`there is no line "${name}"`);
  },
): Field[] {
  const fields: Field[] = [];
  const faults: string[] = [];
  const known = new Map<string, number>();
  for (const { cells, line } of readConfigLines(text, file)) {
    try {
      if (cells[0]?.startsWith('_')) {
        takeLine(cells[0], cells.slice(1));
        continue;
      }
      const field = parseField(cells, line);
      checkAddress(field.address);
      const key = [field.table, field.source, field.column.name].join('\n');
      const earlier = known.get(key);
      if (earlier !== undefined)
        throw new InputError(`${field.column.name} is already listed in line ${earlier}`);
      known.set(key, line);
      fields.push(field);
    } catch (error) {
      faults.push(`${file}, line ${line}: ${messageOf(error)}`);
    }
  }
  if (faults.length === 0 && fields.length === 0) faults.push(`${file}: no variable is listed`);
  if (fields.length > MOST_FIELDS) faults.push(`${file}: more than ${MOST_FIELDS} variables`);
  if (faults.length > 0) throw new InputError(faults.join('\n'));
  return fields;
}

function parseField(cells: string[], line: number): Field {
  if (cells.length > 9) throw new InputError(`${cells.length} columns instead of 9`);
  const [table = '', source = '', name = '', address = '', type = '', units = '', scale = ''] = cells;
  const [lookup = '', notMeasured = ''] = cells.slice(7);
  if (!/^[^./\\]+$/.test(table))
    throw new InputError(`table: "${table}" must be a name without full stops and slashes`);
  if (name === '') throw new InputError('variable: the name is missing');
  if (address === '') throw new InputError(`${name}: where it is read is missing`);
  const named = lookup === '' ? null : parseLookup(lookup);
  const canonical = columnType(type || 'keyword');
  if (!canonical || canonical === 'discard') {
    throw new InputError(`type: "${type}" is none of integer, decimal, bool, keyword, date`);
  }
  const isNumber = canonical === 'integer' || canonical === 'decimal';
  const factors = parseScale(scale);
  if (!isNumber && !isPlainScale(factors)) throw new InputError(`scale: a ${canonical} has none`);
  if (canonical === 'integer' && !(Number.isInteger(factors.factor) && Number.isInteger(factors.offset)))
    throw new InputError('scale: an integer can only be multiplied by whole numbers; call it decimal');
  return {
    line,
    table,
    source,
    address,
    names: named,
    scale: factors,
    notMeasured: parseNotMeasured(notMeasured),
    column: {
      name,
      type: named ? 'keyword' : canonical,
      ...(units === '' || units === '.' ? {} : { units }),
    },
  };
}
