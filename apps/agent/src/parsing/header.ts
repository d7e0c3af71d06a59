import type { ExpectType } from '@albedo/contract/devices/meta.schema';
import { LINK_LIMITS } from '@albedo/contract/link/link.messages';
import { BUILT_IN_COLUMNS } from '@albedo/contract/telemetry/telemetry.schema';
import { splitCsv } from './csv.ts';

/** One column of a file, or one field of a scenario. */
export interface Column {
  name: string;
  expect: ExpectType;
  units?: string;
}

export interface Header {
  columns: Column[];
  /** What is odd about the header though it can be used. */
  notes: { column: string; message: string }[];
}

/** Names that programs use for types, and the canonical ones. */
const TYPES: Record<string, ExpectType> = {
  keyword: 'keyword',
  string: 'keyword',
  str: 'keyword',
  log: 'log',
  integer: 'integer',
  int: 'integer',
  decimal: 'decimal',
  float: 'decimal',
  real: 'decimal',
  freal: 'decimal',
  double: 'decimal',
  bool: 'bool',
  boolean: 'bool',
  date: 'date',
  discard: 'discard',
};

const MAX_NAME = 200;
/** Columns that every record has already. */
const OWN: ReadonlySet<string> = new Set(BUILT_IN_COLUMNS);

const MAX_UNITS = 40;

export const looksLikeHeader = (line: string): boolean => line.startsWith('# ');

/**
 * The columns of a header line such as `# Datetime(date),AC Power(decimal:W),Mode(keyword),spare(discard)`.
 *
 * The last bracket of a column is its type; a column without one is a keyword. Empty units are none. A text is the
 * reason why the line cannot be a header.
 */
export function parseHeader(line: string): Header | string {
  if (!looksLikeHeader(line)) return 'the first line is no header: it must begin with "# "';
  const texts = splitCsv(line.slice(2));
  if (!texts) return 'the header has a quote that is never closed';
  if (texts.length > LINK_LIMITS.fields) {
    return `the header has ${texts.length} columns, more than the ${LINK_LIMITS.fields} allowed`;
  }
  const header: Header = { columns: [], notes: [] };
  const names = new Set<string>();
  for (const text of texts) header.columns.push(parseColumn(text.trim(), names, header.notes));
  return header;
}

function parseColumn(text: string, names: Set<string>, notes: Header['notes']): Column {
  const column = typedColumn(text, notes);
  if (column.name === '') {
    notes.push({ column: '', message: 'a column has no name and is not stored' });
    return { name: '', expect: 'discard' };
  }
  if (column.name.length > MAX_NAME) {
    notes.push({
      column: `${column.name.slice(0, 40)}…`,
      message: `the name is longer than ${MAX_NAME} characters`,
    });
    return { name: column.name.slice(0, MAX_NAME), expect: 'discard' };
  }
  if (OWN.has(column.name) && column.expect !== 'discard') {
    notes.push({ column: column.name, message: 'this name is reserved; the column is not stored' });
    return { ...column, expect: 'discard' };
  }
  if (names.has(column.name) && column.expect !== 'discard') {
    notes.push({
      column: column.name,
      message: 'the header has this column twice; only the first is stored',
    });
    return { ...column, expect: 'discard' };
  }
  names.add(column.name);
  return column;
}

function typedColumn(text: string, notes: Header['notes']): Column {
  const open = text.lastIndexOf('(', unitsStart(text));
  if (!text.endsWith(')') || open < 0) return { name: text, expect: 'keyword' };
  const inside = text.slice(open + 1, -1);
  const colon = inside.indexOf(':');
  const type = (colon < 0 ? inside : inside.slice(0, colon)).trim().toLowerCase();
  const units = colon < 0 ? '' : inside.slice(colon + 1).trim();
  const expect = Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
  const name = text.slice(0, open).trim();
  if (!expect) {
    notes.push({ column: text, message: `"${type}" is not a known type; the column is read as keyword` });
    return { name: text, expect: 'keyword' };
  }
  return units === '' ? { name, expect } : { name, expect, units: units.slice(0, MAX_UNITS) };
}

/** Where to look back from for the bracket of the type: units may hold brackets of their own, as in `(decimal:W(DC))`. */
function unitsStart(text: string): number {
  for (let open = text.lastIndexOf('('); open >= 0; open = text.lastIndexOf('(', open - 1)) {
    const type = /^\(([a-z]+)(?=[:)])/i.exec(text.slice(open))?.[1]?.toLowerCase();
    if (type !== undefined && Object.hasOwn(TYPES, type)) return open;
    if (open === 0) break;
  }
  return text.length;
}
