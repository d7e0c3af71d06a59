import type { DecimalSign } from '@albedo/contract/csv/csv.names';
import type { Delimiter, HistoryColumn } from '@albedo/contract/history-imports/history-imports.schema';
import type { TimeFormat } from '@albedo/contract/mapping/mapping.schema';
import { textOf } from './map-records.ts';
import { columnsOf, type ForeignRecord, valueAt } from './read-records.ts';
import { dateParts, isTimeOfDay } from './read-time.ts';

const PLAIN = /^[+-]?\d+$/;
const WITH_SIGNS = /^(?=.*\d)[+-]?\d*(?:[.,\s’']\d+)*(?:e[+-]?\d+)?$/i;
const BOOL = /^(?:true|false|yes|no|on|off)$/i;
/** What is written where there is no value. */
const NOTHING =
  /^(?:nan|null|none|nil|na|n\.?\/?a\.?|n\.?\/?v\.?|k\.\s?a\.|inf|#n\/a|#na|#nv|#wert!|#value!|#div\/0!|-+|–+|—+|\?+)$/i;
const TIME_NAME = /^(?:#?(?:time|timestamp|date|datetime|date\/time|event_time|ts|t|zeit|datum))$/i;
const TIME_PART = /time|date|zeit|datum|hora|fecha|measured_on/i;
/** Of the century that can be imported. */
const [EARLIEST_S, LATEST_S] = [Date.UTC(2000, 0) / 1000, Date.UTC(2100, 0) / 1000];
const EPOCHS: readonly (readonly [TimeFormat, perSecond: number])[] = [
  ['epoch_s', 1],
  ['epoch_ms', 1e3],
  ['epoch_us', 1e6],
  ['epoch_ns', 1e9],
];
const [EXCEL_FROM, EXCEL_TO] = [36_526, 73_051];
/** So many of a hundred values make a column what it is; the others are told as lost. */
const MOST = 0.8;

/** What the columns of a file have, over every record that is added. */
export class ColumnProfiles {
  readonly #columns = new Map<string, Profile>();
  readonly #isFixed: boolean;
  #sampled = 0;

  constructor(columns: readonly string[] | null) {
    this.#isFixed = columns !== null;
    for (const column of columns ?? []) this.#columns.set(column, new Profile());
  }

  add(record: ForeignRecord): void {
    // Records with columns of their own are asked for them as long as new ones are likely.
    if (!this.#isFixed && this.#sampled < 5000) {
      this.#sampled += 1;
      for (const column of columnsOf(record))
        if (!this.#columns.has(column) && this.#columns.size < 500) this.#columns.set(column, new Profile());
    }
    for (const [column, profile] of this.#columns)
      profile.add(Object.hasOwn(record, column) ? record[column] : valueAt(record, column));
  }

  /** `delimiter` of CSV: where it is the comma, no number can have one unless it is quoted. */
  columns(units: ReadonlyMap<string, string>, delimiter: Delimiter | null): HistoryColumn[] {
    const numbers = [...this.#columns.values()].filter(({ kind }) => kind === 'number' || kind === 'clock');
    const signs = new Set(numbers.map((one) => one.decimal));
    const sure = (['.', ','] as const).filter((sign) => signs.has(sign));
    const usual: DecimalSign | null = sure.length === 1 ? (sure[0] ?? null) : delimiter === ',' ? '.' : null;
    return [...this.#columns].map(([name, profile]) => ({
      name,
      units: units.get(name) ?? null,
      filled: profile.filled,
      kind: profile.kind,
      decimal: profile.decimal === 'unclear' ? (usual ?? 'unclear') : profile.decimal,
      timeFormat: profile.timeFormat,
      example: profile.example,
    }));
  }

  /** The columns that say the time: one, or a date and the time of day beside it. */
  times(): { timeColumn: string | null; clockColumn: string | null } {
    const all = [...this.#columns];
    const best = (is: (profile: Profile) => boolean) => {
      const among = all.filter(([, profile]) => is(profile)).map(([name]) => name);
      return (
        among.find((name) => TIME_NAME.test(name)) ?? among.find((name) => TIME_PART.test(name)) ?? among[0]
      );
    };
    const timeColumn =
      best((one) => one.kind === 'time' && one.hasClock) ??
      best((one) => one.kind === 'time') ??
      best((one) => one.timeFormat?.startsWith('epoch') === true) ??
      best((one) => one.timeFormat === 'excel') ??
      null;
    return { timeColumn, clockColumn: timeColumn === null ? null : this.clockBeside(timeColumn) };
  }

  /** The time of day that belongs to a column of dates; null where that says it itself, or several could. */
  clockBeside(timeColumn: string): string | null {
    const dates = this.#columns.get(timeColumn);
    if (!dates || dates.hasClock || (dates.kind !== 'time' && !dates.isWholeDays)) return null;
    const clocks = [...this.#columns].filter(([name, one]) => name !== timeColumn && one.isClock(name));
    return clocks.length === 1 ? (clocks[0]?.[0] ?? null) : null;
  }
}

class Profile {
  filled = 0;
  example = '';
  #numbers = 0;
  #times = 0;
  #clocks = 0;
  #bools = 0;
  #signs = { '.': 0, ',': 0, unclear: 0 };
  #unclear = '';
  #yearFirst = 0;
  #withClock = 0;
  #halfDays = 0;
  #dots = 0;
  #over = { first: 0, second: 0 };
  #spans = { dmy: [Infinity, -Infinity], mdy: [Infinity, -Infinity] } as Record<
    'dmy' | 'mdy',
    [number, number]
  >;
  readonly #epochs = new Map<TimeFormat, number>();
  #excel = 0;
  #whole = 0;
  #fractions = 0;

  add(value: unknown): void {
    if (value === undefined || value === null || value === '') return;
    if (value instanceof Date) {
      this.#see(value.toISOString());
      this.#times += 1;
      this.#yearFirst += 1;
      this.#withClock += 1;
      return;
    }
    const text = typeof value === 'string' ? value.trim() : textOf(value);
    if (text === null || text === '' || NOTHING.test(text)) return;
    this.#see(text);
    if (typeof value === 'number' || typeof value === 'bigint') this.#number(Number(value));
    else if (PLAIN.test(text)) this.#number(Number(text));
    else this.#text(text);
  }

  get kind(): HistoryColumn['kind'] {
    const least = this.filled * MOST;
    if (this.filled === 0) return 'empty';
    // One bad line of a short file is no reason to take times for words.
    if (this.#times > 0 && this.#times >= this.filled * 0.5) return 'time';
    if (this.#clocks >= least) return 'clock';
    if (this.#numbers >= least || (this.filled < 10 && this.#numbers > this.filled / 2)) return 'number';
    return this.#bools === this.filled ? 'bool' : 'text';
  }

  /** Null where no number has a sign. The signs of a column with many words count as well: its numbers are read by them. */
  get decimal(): HistoryColumn['decimal'] {
    const { '.': dots, ',': commas, unclear } = this.#signs;
    if (dots > 0 || commas > 0) return dots >= commas ? '.' : ',';
    return unclear > 0 ? 'unclear' : null;
  }

  get timeFormat(): HistoryColumn['timeFormat'] {
    if (this.kind === 'time') return this.#yearFirst * 2 >= this.#times ? 'iso' : this.#order();
    if (this.filled === 0 || this.#numbers < this.filled * MOST) return null;
    const [format, count] = [...this.#epochs].reduce((best, one) => (one[1] > best[1] ? one : best), [
      'epoch_s',
      0,
    ] as [TimeFormat, number]);
    if (count >= this.filled * MOST) return format;
    return this.#excel >= this.filled * MOST ? 'excel' : null;
  }

  get hasClock(): boolean {
    return this.kind === 'time' ? this.#withClock > 0 : this.isWholeDays === false;
  }

  /** Days of a spreadsheet without any part of a day. */
  get isWholeDays(): boolean {
    return this.timeFormat === 'excel' && this.#whole === this.#numbers;
  }

  isClock(name: string): boolean {
    if (this.kind === 'clock') return true;
    const isTime = TIME_PART.test(name) || /uhr/i.test(name);
    return isTime && this.kind === 'number' && this.#fractions === this.#numbers;
  }

  #see(text: string): void {
    this.filled += 1;
    if (this.example === '') this.example = text.slice(0, 60);
  }

  #number(value: number): void {
    this.#numbers += 1;
    if (value >= 0 && value <= 1) this.#fractions += 1;
    if (value >= EXCEL_FROM && value < EXCEL_TO) this.#excel += 1;
    if (Number.isInteger(value)) this.#whole += 1;
    for (const [format, perSecond] of EPOCHS)
      if (value >= EARLIEST_S * perSecond && value < LATEST_S * perSecond)
        this.#epochs.set(format, (this.#epochs.get(format) ?? 0) + 1);
  }

  #text(text: string): void {
    const date = dateParts(text);
    if (date) {
      this.#times += 1;
      if (date.isYearFirst) this.#yearFirst += 1;
      else this.#countryDate(text);
      if (date.hasClock) this.#withClock += 1;
      if (date.isHalfDay) this.#halfDays += 1;
    } else if (isTimeOfDay(text)) this.#clocks += 1;
    else if (WITH_SIGNS.test(text)) this.#signed(text);
    else if (BOOL.test(text)) this.#bools += 1;
  }

  /** A number with signs in it: those that part thousands stand before three digits. */
  #signed(text: string): void {
    const signs = text.match(/[.,]/g) ?? [];
    const last = signs.at(-1) as DecimalSign | undefined;
    const isTwice = signs.length > 1;
    const found: DecimalSign | 'unclear' | null =
      last === undefined
        ? null
        : isTwice && new Set(signs).size === 1
          ? last === '.'
            ? ','
            : '.'
          : isTwice || !/^[+-]?[1-9]\d{0,2}[.,]\d{3}$/.test(text)
            ? last
            : 'unclear';
    if (found) this.#signs[found] += 1;
    if (found === 'unclear' && this.#unclear === '') {
      this.#unclear = text;
      this.example = text;
    }
    const plain = text.replaceAll(/[\s'’]/g, '');
    this.#number(Number(isTwice ? plain.replaceAll(/[.,]/g, '') : plain.replace(',', '.')));
  }

  #countryDate(text: string): void {
    const [first = '', second = '', third = ''] = text.split(/[./ ,T-]/);
    const [one, other, year] = [Number(first), Number(second), Number(third)];
    if (text[first.length] === '.') this.#dots += 1;
    if (one > 12) this.#over.first += 1;
    if (other > 12) this.#over.second += 1;
    for (const [order, day, month] of [
      ['dmy', one, other],
      ['mdy', other, one],
    ] as const) {
      const at = (year * 12 + month) * 31 + day;
      const span = this.#spans[order];
      if (at < span[0]) span[0] = at;
      if (at > span[1]) span[1] = at;
    }
  }

  /** Day or month first: as one of them shows, else as the days of the file lie closer together. */
  #order(): 'dmy' | 'mdy' | 'unclear' {
    const { first, second } = this.#over;
    if (first !== second) return first > second ? 'dmy' : 'mdy';
    if (this.#dots > 0) return 'dmy';
    if (this.#halfDays > 0) return 'mdy';
    const [dmy, mdy] = [this.#spans.dmy, this.#spans.mdy].map(([from, to]) => to - from) as [number, number];
    if (dmy * 3 < mdy) return 'dmy';
    return mdy * 3 < dmy ? 'mdy' : 'unclear';
  }
}
