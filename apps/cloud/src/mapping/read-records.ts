import Papa from 'papaparse';
import { readXml } from './read-xml.ts';
import { UnreadableRecords } from './unreadable-records.ts';

/** A record that others wrote: texts, numbers and what JSON nests, by column. */
export type ForeignRecord = Readonly<Record<string, unknown>>;

/** The records in an answer; in JSON and XML, `path` leads to the list. */
export function readRecords(text: string, format: 'json' | 'xml' | 'csv', path = ''): ForeignRecord[] {
  if (format === 'csv') return readCsv(text);
  if (format === 'json') return readJson(text, path);
  const value = readXml(text);
  return isEmptyAt(value, path) ? [] : listAt(value, path);
}

function readCsv(text: string): ForeignRecord[] {
  const { data, errors, meta } = Papa.parse<Record<string, string>>(
    text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n'),
    {
      header: true,
      skipEmptyLines: 'greedy',
      transformHeader: (name) => name.trim(),
    },
  );
  const broken = errors.find(({ type }) => type === 'Quotes');
  if (broken) throw new UnreadableRecords(`Row ${(broken.row ?? 0) + 2}: ${broken.message}.`);
  if ((meta.fields ?? []).length === 0) throw new UnreadableRecords('There is no header.');
  return data;
}

function readJson(text: string, path: string): ForeignRecord[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UnreadableRecords('This is not valid JSON.');
  }
  return listAt(value, path);
}

/** The list of records at a path; a single record counts as a list of one. Throws `UnreadableRecords`. */
export function listAt(value: unknown, path: string): ForeignRecord[] {
  const found = path === '' ? value : valueAt(value, path);
  const list = Array.isArray(found) ? found : [found];
  if (list.every(isRecord)) return list;
  const others = listsIn(value);
  const where = path === '' ? '' : ` at ${path}`;
  const hint = others.length > 0 ? ` There are some at: ${others.join(', ')}.` : '';
  throw new UnreadableRecords(`There is no list of objects${where}.${hint}`);
}

/** In XML an empty list is just an empty parent element. */
function isEmptyAt(value: unknown, path: string): boolean {
  const around = path.split('.').slice(0, -1).join('.');
  if (around === '' || valueAt(value, path) !== undefined || listsIn(value).length > 0) return false;
  return valueAt(value, around) !== undefined;
}

const isRecord = (value: unknown): value is ForeignRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Paths to lists of objects, to suggest in an error message. */
function listsIn(value: unknown, before = '', depth = 0): string[] {
  if (!isRecord(value) || depth > 4) return [];
  const paths = Object.entries(value).flatMap(([name, child]) => {
    const path = before + name;
    if (Array.isArray(child)) return child.length > 0 && child.every(isRecord) ? [path] : [];
    return listsIn(child, `${path}.`, depth + 1);
  });
  return paths.slice(0, 5);
}

/** What stands at the end of a way such as `data.power` or `values.0`; a name with full stops in it comes first. */
export function valueAt(value: unknown, path: string): unknown {
  if (typeof value === 'object' && value !== null && Object.hasOwn(value, path))
    return (value as Record<string, unknown>)[path];
  let at = value;
  for (const step of path.split('.')) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return undefined;
    at = (at as Record<string, unknown>)[step];
  }
  return at;
}

/** The ways to all values of a record; an instant or bytes, as Parquet has them, are values too. */
export function columnsOf(record: ForeignRecord, before = '', depth = 0): string[] {
  return Object.entries(record).flatMap(([name, value]) => {
    const path = before + name;
    return isNested(value) && depth < 4 ? columnsOf(value, `${path}.`, depth + 1) : [path];
  });
}

const isNested = (value: unknown): value is ForeignRecord =>
  typeof value === 'object' && value !== null && !(value instanceof Date) && !ArrayBuffer.isView(value);
