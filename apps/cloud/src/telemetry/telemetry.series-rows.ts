import type { SeriesKey } from '@albedo/contract/telemetry/telemetry.schema';
import { AppError } from '../errors/app-error.ts';
import type { TableFields } from './telemetry.catalog.ts';
import type { HoursOf } from './telemetry.chart-hours.ts';
import { type Bound, slotExpression } from './telemetry.columns.ts';
import { EVENTS, withinSql } from './telemetry.reading.ts';
import type { Span } from './telemetry.series-grid.ts';

/** One line: a stream (device and source) and what is read of each of its events. */
export interface Line {
  device: string;
  source: string;
  /** Names the value among those of its rows. */
  value: string;
}

/**
 * Where values come from. In the SQL that is made of it stand `device`, `source` and `msg_id`; the other names are
 * expressions. Gaps: a value is null where an event has none.
 */
export interface Rows {
  /** The events of the streams in the span: what stands after FROM, and after WHERE. */
  events(lines: readonly Line[], bound: Bound, span: Span): Events;
  /** The instant of an event, Int64, epoch ms. */
  ms(bound: Bound): string;
  value(name: string, bound: Bound): string;
  /** The fields of which hours may be kept, by the names of these values; null where values have to be read. */
  hoursOf(names: readonly string[]): HoursOf | null;
}

export interface Events {
  from: string;
  where: string;
}

/** How an expression over the fields of one event is written. */
export type WriteValue = (column: (field: string) => string) => string;

/** The events of one table. */
export class TableRows implements Rows {
  readonly #workgroup: string;
  readonly #table: string;
  readonly #fields: TableFields;
  readonly #dateField: string;
  readonly #virtual = new Map<string, WriteValue>();

  constructor(workgroup: string, table: string, fields: TableFields, dateField: string) {
    this.#workgroup = workgroup;
    this.#table = table;
    this.#fields = fields;
    this.#dateField = dateField;
  }

  /** An expression over its fields as a value; answers the name of that. No field has one of this form. */
  addVirtual(write: WriteValue): string {
    const name = `\0${this.#virtual.size}`;
    this.#virtual.set(name, write);
    return name;
  }

  ms(bound: Bound): string {
    const slot = this.#dateSlot();
    return slot
      ? `assumeNotNull(toInt64(${slotExpression(slot, bound)}))`
      : 'toUnixTimestamp64Milli(event_time)';
  }

  events(lines: readonly Line[], bound: Bound, span: Span): Events {
    const distinct = (pick: (line: Line) => string) => [...new Set(lines.map(pick))];
    const devices = bound.add(
      distinct(({ device }) => device),
      'Array(UUID)',
    );
    const sources = bound.add(
      distinct(({ source }) => source),
      'Array(String)',
    );
    const where = `workgroup = ${bound.add(this.#workgroup, 'String')} AND tbl = ${bound.add(this.#table, 'String')}
      AND device IN ${devices} AND source IN ${sources} AND ${this.#within(bound, span)}`;
    return { from: EVENTS, where };
  }

  value(name: string, bound: Bound): string {
    const virtual = this.#virtual.get(name);
    if (virtual) return virtual((field) => this.value(field, bound));
    const slot = this.#fields.n.get(name);
    if (!slot) throw new AppError('table.field_unknown', { table: this.#table, field: name });
    return slotExpression(slot, bound);
  }

  hoursOf(names: readonly string[]): HoursOf | null {
    if (this.#dateSlot() || names.some((name) => this.#virtual.has(name))) return null;
    return { workgroup: this.#workgroup, table: this.#table, fields: names };
  }

  #within(bound: Bound, { from, to }: Span): string {
    const slot = this.#dateSlot();
    if (!slot) return withinSql({ from, to }, bound);
    const [first, end] = [bound.add(from, 'Int64'), bound.add(to, 'Int64')];
    const at = slotExpression(slot, bound);
    return `isNotNull(${at}) AND ${at} >= ${first} AND ${at} < ${end}`;
  }

  #dateSlot() {
    const slot = this.#fields.n.get(this.#dateField);
    return slot?.type === 'date' ? slot : null;
  }
}

/** An input of a formula over several streams, with the rows of its table. */
export interface StreamInput extends SeriesKey {
  name: string;
  rows: TableRows;
}

/** The one line of `FormulaRows`. */
export const FORMULA_LINE: Line = {
  device: '00000000-0000-0000-0000-000000000000',
  source: '',
  value: 'formula',
};

/**
 * A formula over several streams, as if it were a stream: one value for each step of `stepMs` in which there is one of
 * each input that it needs; of several values of an input within a step, their mean.
 */
export class FormulaRows implements Rows {
  readonly #inputs: readonly StreamInput[];
  readonly #stepMs: number;
  readonly #write: WriteValue;

  constructor(inputs: readonly StreamInput[], stepMs: number, write: WriteValue) {
    this.#inputs = inputs;
    this.#stepMs = stepMs;
    this.#write = write;
  }

  ms(): string {
    return 'ms';
  }

  value(): string {
    return 'formula';
  }

  hoursOf(): null {
    return null;
  }

  events(_: readonly Line[], bound: Bound, span: Span): Events {
    const values = streamValues(this.#inputs, bound, span);
    const columns = new Map(this.#inputs.map(({ name }, i) => [name, `i${i}`]));
    const step = bound.add(this.#stepMs, 'Int64');
    const means = this.#inputs.map((_, i) => `avgIf(v, i = ${i}) AS i${i}`);
    const value = this.#write((name) => `nullIf(${columns.get(name)}, nan)`);
    const from = `(SELECT toUUID('${FORMULA_LINE.device}') AS device, '' AS source, toUInt64(0) AS msg_id, fine AS ms,
        ${value} AS formula
      FROM (SELECT intDiv(ms, ${step}) * ${step} AS fine, ${means.join(', ')} FROM (${values}) GROUP BY fine))`;
    return { from, where: '1' };
  }
}

/** Every value of some streams: `i`, the place of its stream, `ms` and `v`. */
export function streamValues(inputs: readonly StreamInput[], bound: Bound, span: Span): string {
  return inputs
    .map(({ device, source, field, rows }, i) => {
      const value = rows.value(field, bound);
      const { from, where } = rows.events([{ device, source, value: field }], bound, span);
      return `SELECT ${i} AS i, ${rows.ms(bound)} AS ms, assumeNotNull(${value}) AS v
        FROM ${from} WHERE ${where} AND isNotNull(${value})`;
    })
    .join(' UNION ALL ');
}
