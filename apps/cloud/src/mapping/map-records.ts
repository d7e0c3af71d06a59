import type { DecimalSign } from '@albedo/contract/csv/csv.names';
import type { BatchField, BatchRow } from '@albedo/contract/link/link.messages';
import { LINK_LIMITS } from '@albedo/contract/link/link.messages';
import type { MappedPreview, Mapping } from '@albedo/contract/mapping/mapping.schema';
import { storableText } from '@albedo/postgres/storable';
import type { HistoryRecord } from './history-records.ts';
import type { ForeignFile } from './read-foreign-file.ts';
import { type ForeignRecord, valueAt } from './read-records.ts';
import { joinedTime, readTime } from './read-time.ts';

export type Cell = number | string | null;
type Fault = MappedPreview['faults'][number];

/** One event as it was read: epoch ms, a value for each field of the mapping. */
export interface MappedEvent {
  source: string;
  at: number;
  values: Cell[];
}

/** The years 2000 to 2100: what lies outside is a mistake in the mapping. */
const [EARLIEST, LATEST] = [Date.UTC(2000, 0), Date.UTC(2100, 0)];
const FAULTS_TOLD = 50;

/** Whether an instant can be one of an event, epoch ms. */
export const isPlausible = (at: number): boolean => at >= EARLIEST && at < LATEST;

export const fieldsOf = ({ fields }: Pick<Mapping, 'fields'>): BatchField[] =>
  fields.map(({ name, type, units }) => ({ name, type, ...(units ? { units } : {}) }));

/** Events of records; what cannot be one is told with the number of its record, from 1. */
export class Mapper {
  readonly #mapping: Mapping;
  #line = 0;
  readonly faults: Fault[] = [];
  faulty = 0;
  records = 0;

  constructor(mapping: Mapping) {
    this.#mapping = mapping;
  }

  /**
   * Null if the record is no event. A value that does not fit its field is reported and left out. `line` is reported in place
   * of the number of the record.
   */
  event(record: ForeignRecord, line?: number): MappedEvent | null {
    this.records += 1;
    this.#line = line ?? this.records;
    const { timeFormat, timezone, standardTime, fields } = this.#mapping;
    const time = timeTextOf(record, this.#mapping);
    const at = time === null ? null : readTime(time, timeFormat, timezone, standardTime);
    if (at === null || !isPlausible(at)) return this.#fault('time', time ?? '');
    const source = this.#sourceOf(record);
    if (source === null) return this.#fault('source', '');
    const values = fields.map((field): Cell => {
      const given = valueAt(record, field.column);
      if (given === undefined || given === null || given === '') return null;
      const value = cellOf(given, field, timezone);
      if (value === null) this.#fault('number', `${field.column}: ${textOf(given) ?? ''}`);
      return value;
    });
    if (values.every((one) => one === null)) return this.#fault('empty', '');
    return { source, at, values };
  }

  /** Reports a line that is no record at all. */
  unread(line: number, why: string): void {
    this.records += 1;
    this.#line = line;
    this.#fault('row', why);
  }

  #sourceOf(record: ForeignRecord): string | null {
    const { source, sourceColumn } = this.#mapping;
    if (sourceColumn === null) return source;
    const name = textOf(valueAt(record, sourceColumn))?.trim() ?? '';
    return name === '' || name.length > 400 || /\p{Cc}/u.test(name) ? null : name;
  }

  #fault(reason: Fault['reason'], text: string): null {
    this.faulty += 1;
    if (this.faults.length < FAULTS_TOLD)
      this.faults.push({ record: this.#line, reason, text: storableText(text.slice(0, 200)) });
    return null;
  }
}

/** A value as text; null where it has none. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'string') return storableText(value);
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint')
    return String(value);
  return value instanceof Date ? value.toISOString() : null;
}

/** The time of a record as it is written, from one column or two; null where it has none. */
export function timeTextOf(
  record: ForeignRecord,
  { timeColumn, clockColumn }: Pick<Mapping, 'timeColumn' | 'clockColumn'>,
): string | null {
  const date = textOf(valueAt(record, timeColumn));
  // Mappings that are stored already may not name it.
  if (date === null || !clockColumn) return date;
  return joinedTime(date.trim(), textOf(valueAt(record, clockColumn))?.trim() ?? '');
}

/** A value of a field as it is stored; null where it is none of it. */
export function cellOf(
  given: unknown,
  { type, factor, decimal }: Mapping['fields'][number],
  timezone: string,
): Cell {
  const text = textOf(given);
  if (text === null) return null;
  if (type === 'keyword') return storableText(text.slice(0, LINK_LIMITS.textLength));
  if (type === 'bool') return BOOLS.get(text.trim().toLowerCase()) ?? null;
  if (type === 'date') return readTime(text, 'iso', timezone);
  const number = typeof given === 'string' ? numberOf(text.trim(), decimal ?? null) : numberOf(text, null);
  if (number === null) return null;
  const value = number * factor;
  return type === 'integer' ? Math.round(value) : value;
}

const BOOLS: ReadonlyMap<string, number> = new Map<string, number>([
  ...['true', '1', 'yes', 'on'].map((one): [string, number] => [one, 1]),
  ...['false', '0', 'no', 'off'].map((one): [string, number] => [one, 0]),
]);

/** Thousands may be separated by the other sign, by spaces or by apostrophes: everywhere in the number, or nowhere. */
const GROUPED: Readonly<Record<DecimalSign, RegExp>> = {
  '.': /^[+-]?\d{1,3}(?:([,\s'’])\d{3})(?:\1\d{3})*(?:\.\d*)?$/,
  ',': /^[+-]?\d{1,3}(?:([.\s'’])\d{3})(?:\1\d{3})*(?:,\d*)?$/,
};

/** A number with that decimal sign; where it is not known, with a full stop or a comma before the decimals. */
function numberOf(text: string, decimal: DecimalSign | null): number | null {
  let plain = text;
  if (decimal === null) plain = /^[+-]?\d+,\d+$/.test(text) ? text.replace(',', '.') : text;
  else {
    if (GROUPED[decimal].test(text)) plain = text.replaceAll(decimal === '.' ? /[,\s'’]/g : /[.\s'’]/g, '');
    if (decimal === ',') plain = plain.includes('.') ? '' : plain.replace(',', '.');
  }
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(plain)) return null;
  const value = Number(plain);
  return Number.isFinite(value) ? value : null;
}

/** The events by their source, each with the number that `numberOf` gives it. */
export function rowsBySource(
  events: readonly MappedEvent[],
  numberFor: (event: MappedEvent) => number,
): Map<string, BatchRow[]> {
  const rows = new Map<string, BatchRow[]>();
  for (const event of events) {
    const all = rows.get(event.source) ?? [];
    rows.set(event.source, all);
    all.push([numberFor(event), event.at, ...event.values]);
  }
  return rows;
}

/** What people see before they say yes. */
export function previewOf(
  mapping: Mapping,
  { records, columns }: Pick<ForeignFile, 'records' | 'columns'>,
  shown = 10,
): MappedPreview {
  const mapper = new Mapper(mapping);
  const events = eventsOf(mapper, records);
  return {
    records: records.length,
    events: events.length,
    columns,
    sample: events.slice(0, shown).map(({ source, at, values }) => ({
      source,
      at,
      values: Object.fromEntries(mapping.fields.map(({ name }, i) => [name, values[i] ?? null])),
    })),
    faults: mapper.faults,
  };
}

/** The events of records; the mapper collects those that are none. */
export function eventsOf(mapper: Mapper, records: readonly HistoryRecord[]): MappedEvent[] {
  return records.flatMap((row) => {
    if ('record' in row) return mapper.event(row.record, row.line) ?? [];
    mapper.unread(row.line, row.fault);
    return [];
  });
}
