import type { Field } from '@albedo/contract/devices/meta.schema';
import { type BatchField, LINK_LIMITS, storedType } from '@albedo/contract/link/link.messages';
import { splitCsv } from './csv.ts';
import type { Column } from './header.ts';
import { parseValue } from './values.ts';

/** Values of one event, one for each stored field; null where it has none. */
export interface Row {
  eventAt: number;
  values: (number | string | null)[];
}

export interface Fault {
  column: string;
  message: string;
  line: string;
}

export type OnFault = (fault: Fault) => void;

const MAX_RECORD_BYTES = LINK_LIMITS.messageBytes / 2;

/**
 * Turns texts into rows of typed values for one list of columns.
 *
 * The first date column called Datetime gives the event's time and is not stored again; without one, or when its
 * value is bad, the time of arrival counts. A bad value costs its own column only.
 */
export class RecordParser {
  /** What is stored, in the order of `Row.values`. */
  readonly fields: BatchField[] = [];
  readonly hasTime: boolean;
  readonly #columns: Column[];
  readonly #timeAt: number;

  constructor(columns: Column[]) {
    this.#columns = columns;
    this.#timeAt = columns.findIndex((one) => one.expect === 'date' && one.name.toLowerCase() === 'datetime');
    this.hasTime = this.#timeAt >= 0;
    columns.forEach((column, at) => {
      const type = storedType(column.expect);
      if (!type || at === this.#timeAt) return;
      this.fields.push({
        name: column.name,
        type,
        ...(column.units === undefined ? {} : { units: column.units }),
      });
    });
  }

  /** One CSV line; null when nothing of it can be used. */
  csv(line: string, arrivedAt: number, onFault: OnFault): Row | null {
    const texts = splitCsv(line);
    if (!texts) {
      onFault({ column: '', message: 'the line has a quote that is never closed', line });
      return null;
    }
    if (texts.length !== this.#columns.length) {
      const message = `the line has ${texts.length} columns where ${this.#columns.length} are expected`;
      onFault({ column: '', message, line });
      if (texts.length === 1 && this.#columns.length > 1) return null;
    }
    return this.#row(texts, line, arrivedAt, onFault);
  }

  /** One line that is a single value. */
  single(line: string, arrivedAt: number, onFault: OnFault): Row | null {
    return this.#row([line], line, arrivedAt, onFault);
  }

  #row(texts: string[], line: string, arrivedAt: number, onFault: OnFault): Row | null {
    if (line.length > MAX_RECORD_BYTES) {
      onFault({ column: '', message: `the record is longer than ${MAX_RECORD_BYTES} bytes`, line });
      return null;
    }
    const row: Row = { eventAt: arrivedAt, values: [] };
    for (let at = 0; at < this.#columns.length; at++) {
      const column = this.#columns[at];
      if (!column || column.expect === 'discard') continue;
      const text = texts[at] ?? '';
      const { value, fault } = parseValue(text, column.expect);
      if (fault !== undefined) onFault({ column: column.name, message: fault, line });
      if (at !== this.#timeAt) row.values.push(value);
      else if (typeof value === 'number') row.eventAt = value;
    }
    return row;
  }
}

/** Columns of a scenario's `fields`. */
export const columnsOf = (fields: Field[]): Column[] =>
  fields.map(({ name, expect, meta }) => ({ name, expect, ...(meta?.units ? { units: meta.units } : {}) }));
