import { zoneOffsetMs } from '../time/zoned-time.ts';
import { SITE_ZONE } from './csv.names.ts';
import type { CsvStyle } from './csv-style.schema.ts';

/** A value as it is: instants as dates, numbers as numbers, so that each file writes them in its own way. */
export type CsvValue = number | string | boolean | Date | null | undefined;

export interface CsvColumn {
  title: string;
  /** Of its numbers; all of a column have the same. */
  units?: string | null | undefined;
  isTime?: boolean | undefined;
}

/** A text that a spreadsheet would take for a formula has an apostrophe in front; a number stays as it is. */
export const defused = (text: string): string =>
  /^[=+\-@\t\r]/.test(text) && !Number.isFinite(Number(text)) ? `'${text}` : text;

/** Lines of CSV, ended as RFC 4180 has it. A text that a spreadsheet would take for a formula has an apostrophe in front. */
export class CsvWriter {
  readonly #columns: readonly CsvColumn[];
  readonly #style: CsvStyle;
  readonly #special: RegExp;

  constructor(columns: readonly CsvColumn[], style: CsvStyle) {
    this.#columns = columns;
    this.#style = style;
    this.#special = style.delimiter === '\t' ? /["\t\r\n]/ : /[",;\t\r\n]/;
  }

  /** The first line, with a mark where one is wanted. */
  head(): string {
    const { bom, times, units: hasUnits } = this.#style;
    const titles = this.#columns.flatMap(({ title, units, isTime }) => {
      if (isTime && times === 'clock') return [title, `${title} offset`];
      return [hasUnits && units ? `${title} [${units}]` : title];
    });
    return `${bom ? '\uFEFF' : ''}${this.#line(titles.map((title) => this.#text(title)))}`;
  }

  /** A value for each column; `zone` is that of its times where the file has the zone of each site. */
  row(values: readonly CsvValue[], zone = 'UTC'): string {
    const { times, timezone } = this.#style;
    const used = timezone === SITE_ZONE ? zone : timezone;
    const cells: string[] = [];
    for (const [i, { isTime }] of this.#columns.entries()) {
      const value = values[i];
      if (!(value instanceof Date)) {
        cells.push(this.#cell(value));
        if (isTime && times === 'clock') cells.push('');
      } else if (times === 'clock')
        cells.push(clockOf(value.getTime(), used), offsetText(value.getTime(), used));
      else cells.push(`${clockOf(value.getTime(), used, 'T')}${isoOffset(value.getTime(), used)}`);
    }
    return this.#line(cells);
  }

  #line(cells: readonly string[]): string {
    return `${cells.join(this.#style.delimiter)}\r\n`;
  }

  #cell(value: Exclude<CsvValue, Date>): string {
    if (value === null || value === undefined) return '';
    if (typeof value !== 'number') return this.#text(String(value));
    if (!Number.isFinite(value)) return '';
    const text = String(value);
    return this.#style.decimal === ',' ? text.replace('.', ',') : text;
  }

  #text(text: string): string {
    const safe = defused(text);
    return this.#special.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  }
}

/** A whole file. */
export function csvText(
  columns: readonly CsvColumn[],
  rows: Iterable<readonly CsvValue[]>,
  style: CsvStyle,
  zone?: string,
): string {
  const writer = new CsvWriter(columns, style);
  let text = writer.head();
  for (const row of rows) text += writer.row(row, zone);
  return text;
}

function clockOf(at: number, zone: string, between = ' '): string {
  if (!Number.isFinite(at)) return '';
  const text = new Date(at + zoneOffsetMs(at, zone)).toISOString();
  const part = text.slice(20, 23);
  return `${text.slice(0, 10)}${between}${text.slice(11, 19)}${part === '000' ? '' : `.${part}`}`;
}

function isoOffset(at: number, zone: string): string {
  return zoneOffsetMs(at, zone) === 0 ? 'Z' : offsetText(at, zone).slice(3);
}

/** As text that no spreadsheet takes for a number or a time of day. */
function offsetText(at: number, zone: string): string {
  const minutes = Math.round(zoneOffsetMs(at, zone) / 60_000);
  const two = (n: number) => String(n).padStart(2, '0');
  const absolute = Math.abs(minutes);
  return `UTC${minutes < 0 ? '-' : '+'}${two(Math.floor(absolute / 60))}:${two(absolute % 60)}`;
}
