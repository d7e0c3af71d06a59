import Papa from 'papaparse';

/** A record that others wrote: texts, numbers and what JSON nests, by column. */
export type ForeignRecord = Readonly<Record<string, unknown>>;

/** What was sent cannot be read at all; the message is for people. */
export class UnreadableRecords extends Error {}

/** The records in an answer. `path` leads to the list inside of JSON. */
export function readRecords(text: string, format: 'json' | 'csv', path = ''): ForeignRecord[] {
  return format === 'csv' ? readCsv(text) : readJson(text, path);
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
  const found = path === '' ? value : valueAt(value, path);
  const list = Array.isArray(found) ? found : [found];
  if (!list.every((one) => typeof one === 'object' && one !== null && !Array.isArray(one)))
    throw new UnreadableRecords(
      path === '' ? 'There is no list of objects.' : `There is no list of objects at ${path}.`,
    );
  return list as ForeignRecord[];
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
