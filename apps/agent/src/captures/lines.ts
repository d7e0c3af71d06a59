import { stripVTControlCharacters } from 'node:util';
import type { Field } from '@albedo/contract/devices/meta.schema';
import type { CaptureFault } from '../outbox/faults.ts';
import type { Capture, Shape } from '../outbox/outbox.events.ts';
import { type Column, looksLikeHeader, parseHeader } from '../parsing/header.ts';
import { columnsOf, type Fault, RecordParser, type Row } from '../parsing/record.ts';
import { Unread } from './unread.ts';

/** Turns the lines of one file, socket or command into events. */
export interface LineReader {
  readonly stream: { table: string; source: string };
  /** The header in force, with which reading can be resumed; null for readers that need none. */
  readonly header: string | null;
  /** Whether nothing can be read before a header was. */
  readonly needsHeader: boolean;
  /** Begins at the start of a file, or in the middle of one whose header is known. */
  begin(header: string | null): void;
  /** Adds the events of one line to `into`. False: the line is no header though one is due, so stop before it. */
  line(text: string, arrivedAt: number, into: Capture[]): boolean;
  fault(message: string, line: string): void;
  /** Keeps a line that cannot be read, as it is. */
  unread(reason: string, bytes: Buffer, arrivedAt: number, into: Capture[]): void;
}

const UNUSABLE = 'nothing of the line can be used';

type Stream = Pick<CaptureFault, 'table' | 'source' | 'scenario'>;

/** Control characters other than the tab; a plain class, because every line is checked. */
const CONTROL = /[^\t -~\u0080-\uffff]/;
const REPLACED = '\uFFFD';
/** The text of a line as a person sees it on a terminal. */
export const withoutColours = (text: string): string =>
  text.includes('\u001b') ? stripVTControlCharacters(text) : text;

/** What makes a line rubbish rather than text; null when it is text. */
export function rubbish(text: string): string | null {
  if (text.includes(REPLACED)) return 'the line is not UTF-8 text and is left out';
  return CONTROL.test(text) ? 'the line has control characters and is left out' : null;
}

/** Lines of a scenario whose fields stand in the configuration. */
export class StaticLines implements LineReader {
  readonly header = null;
  readonly needsHeader = false;
  readonly shape: Shape;
  readonly hasTime: boolean;
  readonly #parser: RecordParser;
  readonly #csv: boolean;
  readonly #unread: Unread;
  readonly stream: Stream;
  readonly #report: (fault: CaptureFault) => void;

  constructor(
    scenario: {
      table: string;
      source: string;
      expect: string;
      fields?: Field[] | undefined;
      meta?: object | undefined;
    },
    kind: string,
    report: (fault: CaptureFault) => void,
  ) {
    const { table, source } = scenario;
    this.#csv = scenario.expect === 'csv';
    this.#parser = new RecordParser(columnsOf(fieldsOf(scenario)));
    this.hasTime = this.#parser.hasTime;
    this.shape = { table, source, fields: this.#parser.fields };
    this.#unread = new Unread(table, source);
    this.stream = { table, source, scenario: kind };
    this.#report = report;
  }

  unread(reason: string, bytes: Buffer, arrivedAt: number, into: Capture[]): void {
    this.#unread.keep(reason, bytes, arrivedAt, into);
  }

  begin(): void {}

  line(text: string, arrivedAt: number, into: Capture[]): boolean {
    if (this.#csv && text.startsWith('#')) return true;
    const onFault = (fault: Fault): void => this.#report({ ...this.stream, ...fault });
    const row = this.#csv
      ? this.#parser.csv(text, arrivedAt, onFault)
      : this.#parser.single(text, arrivedAt, onFault);
    if (row) addRow(into, this.shape, row);
    else this.#unread.keep(UNUSABLE, Buffer.from(text), arrivedAt, into);
    return true;
  }

  fault(message: string, line: string): void {
    this.#report({ ...this.stream, column: '', message, line });
  }
}

/** Lines of a file that says in its first line, and maybe again later, what its columns are. */
export class HeaderedLines implements LineReader {
  readonly needsHeader = true;
  header: string | null = null;
  columns: Column[] = [];
  #shape: Shape | null = null;
  #parser: RecordParser | null = null;
  readonly stream: Stream;
  readonly #report: (fault: CaptureFault) => void;
  readonly #onHeader: () => void;
  readonly #unread: Unread;

  constructor(stream: Stream, report: (fault: CaptureFault) => void, onHeader: () => void) {
    this.stream = stream;
    this.#report = report;
    this.#onHeader = onHeader;
    this.#unread = new Unread(stream.table, stream.source);
  }

  unread(reason: string, bytes: Buffer, arrivedAt: number, into: Capture[]): void {
    this.#unread.keep(reason, bytes, arrivedAt, into);
  }

  begin(header: string | null): void {
    if (header === null) this.header = null;
    else this.#use(header);
  }

  line(text: string, arrivedAt: number, into: Capture[]): boolean {
    if (this.header === null) return this.#use(text);
    if (text.startsWith('#')) {
      if (looksLikeHeader(text) && /\([a-z]+[:)]/i.test(text)) this.#use(text);
      return true;
    }
    if (!this.#parser || !this.#shape) return true;
    const onFault = (fault: Fault): void => this.#report({ ...this.stream, ...fault });
    const row = this.#parser.csv(text, arrivedAt, onFault);
    if (row) addRow(into, this.#shape, row);
    else this.#unread.keep(UNUSABLE, Buffer.from(text), arrivedAt, into);
    return true;
  }

  fault(message: string, line: string): void {
    this.#report({ ...this.stream, column: '', message, line });
  }

  /** A header that cannot be used leaves the previous one in place; false when there is none. */
  #use(line: string): boolean {
    if (line === this.header) return true;
    const header = parseHeader(line);
    if (typeof header === 'string') {
      this.fault(header, line);
      return this.header !== null;
    }
    for (const note of header.notes) this.#report({ ...this.stream, ...note, line });
    this.header = line;
    if (JSON.stringify(header.columns) === JSON.stringify(this.columns) && this.#parser) return true;
    this.columns = header.columns;
    this.#parser = new RecordParser(header.columns);
    this.#shape = { table: this.stream.table, source: this.stream.source, fields: this.#parser.fields };
    this.#onHeader();
    return true;
  }
}

function addRow(into: Capture[], shape: Shape, row: Row): void {
  const last = into.at(-1);
  if (last?.shape === shape) last.rows.push(row);
  else into.push({ shape, rows: [row] });
}

/** A scenario without `fields` has one field called `value`, of the type that is expected. */
export function fieldsOf(scenario: {
  expect: string;
  fields?: Field[] | undefined;
  meta?: object | undefined;
}): Field[] {
  if (scenario.fields) return scenario.fields;
  const { expect, meta } = scenario;
  return [{ name: 'value', expect: expect as Field['expect'], ...(meta ? { meta: { ...meta } } : {}) }];
}
