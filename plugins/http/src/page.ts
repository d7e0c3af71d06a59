import { readXml } from '@albedo/plugin-kit/fields/read-xml';
import { parse } from 'csv-parse/sync';

export const FORMATS = ['auto', 'json', 'csv', 'xml'] as const;
export type Format = (typeof FORMATS)[number];

/**
 * A page as lists and named values: JSON as it is, CSV as a list of rows by the names of its header, XML by the names of
 * its elements, with `@name` for attributes and `#text` beside them. Throws for what is none of it.
 */
export function readPage(text: string, type: string, format: Format): unknown {
  const kind = format === 'auto' ? formatOf(text, type) : format;
  if (kind === 'json') return JSON.parse(text);
  if (kind === 'csv') return readCsv(text);
  return readXml(text);
}

function formatOf(text: string, type: string): Exclude<Format, 'auto'> {
  if (/json/i.test(type)) return 'json';
  if (/xml/i.test(type)) return 'xml';
  if (/csv/i.test(type)) return 'csv';
  const [first = ''] = text.trimStart();
  if (first === '{' || first === '[') return 'json';
  return first === '<' ? 'xml' : 'csv';
}

function readCsv(text: string): unknown {
  const head = text.slice(0, text.search(/[\r\n]|$/));
  const delimiter =
    [',', ';', '\t'].toSorted((a, b) => head.split(b).length - head.split(a).length)[0] ?? ',';
  return parse(text, {
    bom: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    columns: (names: string[]) => names.map((name) => name.trim().replace(/^# */, '')),
    delimiter,
    trim: true,
    skip_empty_lines: true,
    relax_column_count: true,
    relax_quotes: true,
  });
}
