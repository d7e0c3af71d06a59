import { StringDecoder } from 'node:string_decoder';
import { type HistoryRecord, LINE_BYTES } from '../mapping/history-records.ts';
import type { ForeignRecord } from '../mapping/read-records.ts';

/**
 * The points of a file of line protocol, as records with the columns `measurement`, `time` and one for each tag and field; a tag
 * that has the name of a field is `<name> (tag)`. Comments, empty lines and the `CREATE DATABASE` of an export are no records.
 */
export async function* readLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<HistoryRecord> {
  let line = 0;
  for await (const text of linesOf(chunks)) {
    line += 1;
    if (text === null) {
      yield { line, fault: 'The line is too long.' };
      continue;
    }
    const trimmed = text.trim();
    if (trimmed === '' || trimmed.startsWith('#') || /^CREATE DATABASE\b/i.test(trimmed)) continue;
    const record = readPoint(trimmed);
    yield record === null ? { line, fault: 'This is no line protocol.' } : { line, record };
  }
}

/** Null for a line that is longer than any should be. */
async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<string | null> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  let isTooLong = false;
  for await (const chunk of chunks) {
    const lines = (rest + decoder.write(chunk)).split('\n');
    rest = lines.pop() ?? '';
    for (const text of lines) {
      yield isTooLong ? null : text;
      isTooLong = false;
    }
    if (rest.length > LINE_BYTES) {
      rest = '';
      isTooLong = true;
    }
  }
  rest += decoder.end();
  if (isTooLong) yield null;
  else if (rest !== '') yield rest;
}

/** A point; null where the line is none. Source: InfluxDB, line protocol reference, syntax. */
export function readPoint(line: string): ForeignRecord | null {
  const reader = new Reader(line);
  const measurement = reader.until(', ', ',= ');
  if (measurement === '') return null;
  const tags: [string, string][] = [];
  while (reader.takes(',')) {
    const name = reader.until('=, ', ',= ');
    if (name === '' || !reader.takes('=')) return null;
    const value = reader.until(', ', ',= ');
    if (value === '') return null;
    tags.push([name, value]);
  }
  if (!reader.takesSpaces()) return null;
  const fields = new Map<string, unknown>();
  do {
    const name = reader.until('=, ', ',= ');
    if (name === '' || !reader.takes('=')) return null;
    const value = reader.isAt('"') ? reader.quoted() : fieldOf(reader.until(', ', ''));
    if (value === null) return null;
    fields.set(name, value);
  } while (reader.takes(','));
  reader.takesSpaces();
  const time = reader.rest();
  if (time !== '' && !/^-?\d+$/.test(time)) return null;
  const reserved = new Set(['measurement', 'time', ...fields.keys()]);
  return {
    ...Object.fromEntries(tags.map(([name, value]) => [reserved.has(name) ? `${name} (tag)` : name, value])),
    ...Object.fromEntries(
      [...fields].map(([name, value]) => [
        name === 'measurement' || name === 'time' ? `${name} (field)` : name,
        value,
      ]),
    ),
    measurement,
    ...(time === '' ? {} : { time }),
  };
}

const TRUE = /^(?:t|true)$/i;
const FALSE = /^(?:f|false)$/i;

function fieldOf(text: string): number | string | boolean | null {
  if (TRUE.test(text)) return true;
  if (FALSE.test(text)) return false;
  // As text, so that no digit of a large whole number is lost before the mapping says what it is.
  if (/^-?\d+[iu]$/.test(text)) return text.slice(0, -1);
  const number = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? number : null;
}

class Reader {
  readonly #line: string;
  #at = 0;

  constructor(line: string) {
    this.#line = line;
  }

  isAt(char: string): boolean {
    return this.#line[this.#at] === char;
  }

  takes(char: string): boolean {
    if (!this.isAt(char)) return false;
    this.#at += 1;
    return true;
  }

  takesSpaces(): boolean {
    const before = this.#at;
    while (this.isAt(' ')) this.#at += 1;
    return this.#at > before;
  }

  /** What stands before the next of `ends`; a backslash before one of `escapable` goes away, and that one is no end. */
  until(ends: string, escapable: string): string {
    let text = '';
    for (; this.#at < this.#line.length; this.#at += 1) {
      const char = this.#line[this.#at] as string;
      const next = this.#line[this.#at + 1];
      if (char === '\\' && next !== undefined && escapable.includes(next)) {
        text += next;
        this.#at += 1;
      } else if (ends.includes(char)) break;
      else text += char;
    }
    return text;
  }

  /** A text in quotation marks; null where it has no end. */
  quoted(): string | null {
    let text = '';
    for (this.#at += 1; this.#at < this.#line.length; this.#at += 1) {
      const char = this.#line[this.#at] as string;
      const next = this.#line[this.#at + 1];
      if (char === '\\' && (next === '"' || next === '\\')) {
        text += next;
        this.#at += 1;
      } else if (char === '"') {
        this.#at += 1;
        return text;
      } else text += char;
    }
    return null;
  }

  rest(): string {
    return this.#line.slice(this.#at).trim();
  }
}
