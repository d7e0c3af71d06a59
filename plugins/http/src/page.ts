import { parse } from 'csv-parse/sync';
import { XMLParser, XMLValidator } from 'fast-xml-parser';

export const FORMATS = ['auto', 'json', 'csv', 'xml'] as const;
export type Format = (typeof FORMATS)[number];

/** Levels of a document at most. */
const DEEPEST = 60;

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
    columns: (names: string[]) => names.map((name) => name.trim().replace(/^# */, '')),
    delimiter,
    trim: true,
    skip_empty_lines: true,
    relax_column_count: true,
    relax_quotes: true,
  });
}

/** Entities of a document's own are not followed: a few lines of them can mean gigabytes. */
function readXml(text: string): unknown {
  const check = XMLValidator.validate(text);
  if (check !== true) throw new Error(`line ${check.err.line}: ${check.err.msg}`);
  if (/<!ENTITY/i.test(text)) throw new Error('a document with entities of its own is not read');
  if (deepest(text) > DEEPEST) throw new Error(`more than ${DEEPEST} levels`);
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    parseTagValue: false,
    parseAttributeValue: false,
    ignoreDeclaration: true,
    removeNSPrefix: true,
    trimValues: true,
  });
  return parser.parse(text);
}

function deepest(text: string): number {
  let [depth, most] = [0, 0];
  for (const [, close, empty] of text.matchAll(/<(\/?)[A-Za-z_][^>]*?(\/?)>/g)) {
    if (close) depth--;
    else if (!empty) depth++;
    most = Math.max(most, depth);
  }
  return most;
}
