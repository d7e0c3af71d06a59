import { readUnit } from '@albedo/contract/field-roles/field-units';
import type { HistoryLayout } from '@albedo/contract/history-imports/history-imports.schema';
import { dateParts } from './read-time.ts';

/** A line of a table as it was written, without spaces around its cells. */
export interface HeadRow {
  line: number;
  cells: readonly string[];
}

type Lines = Pick<HistoryLayout, 'headers' | 'units' | 'firstRecord'>;

/** Lines above the records that may have names. */
const HEADERS = 8;
const NUMBER = /^[+-]?(?:\d+(?:[.,]\d+)*|[.,]\d+)(?:e[+-]?\d+)?$/i;
/** Counts since 1970, and days of spreadsheets, of this century. */
const EPOCH = /^(?:\d{10}(?:\.\d+)?|\d{13}|\d{16}|\d{19})$/;
const EXCEL = /^(?:3[6-9]|[45]\d|6\d|7[0-2])\d{3}(?:[.,]\d+)?$/;
/** How vendors write a date's format, and signs that stand for no unit. */
const DATE_PATTERN = /^\[?[dDMyYhHmst .,:/\-T]{2,24}\]?$/;
/** How the column of the time is called. */
const TIME_NAME =
  /^#?(?:t|ts|event_time|measured_on|(?:start|end|measurement|local|utc)?[ _-]?(?:time|date|timestamp|date ?\/? ?time|date and time)|zeit|datum|zeitstempel|datum und uhrzeit|hora|fecha|fecha y hora)(?:\s*[([].*)?$/i;
const NO_UNIT = /^(?:[-–%‰°]|n\/?a|none)?$/i;

export const isNumber = (text: string): boolean => NUMBER.test(text);

/**
 * Where the names, the units and the records of a table begin. Above them may stand what the vendor says of the plant, names may be in
 * several lines, and units in one of their own.
 */
export function findLines(rows: readonly HeadRow[]): Lines {
  const width = usualWidth(rows);
  const timeAt = timeColumnIn(rows, width);
  const first = firstRecord(rows, width, timeAt);
  const above: HeadRow[] = [];
  for (let i = first - 1; i >= 0 && above.length < HEADERS; i--) {
    const row = rows[i] as HeadRow;
    const next = rows[i + 1];
    const isBeside = next === undefined || next.line - row.line === 1;
    const hasValues = row.cells.some((cell, at) => at !== timeAt && at > 0 && cell !== '');
    if (!isBeside || (width > 1 && !hasValues) || trimmed(row).length > width) break;
    above.unshift(row);
  }
  const units = above.length > 1 && isUnits(above.at(-1) as HeadRow) ? above.pop() : undefined;
  const headers = namesAmong(above, width, timeAt);
  // What stands between one line of names and the first good time is a record with a bad one, and is told as such.
  const [only] = headers.length === 1 ? headers : [];
  const below = only && above.find(({ line, cells }) => line > only.line && cells[timeAt] !== '');
  const begin = below?.line ?? rows[first]?.line ?? (rows.at(-1)?.line ?? 0) + 1;
  return {
    headers: headers.map(({ line }) => line),
    units: units?.line ?? null,
    firstRecord: Math.max(1, begin),
  };
}

/** How many cells of records can be read as numbers or times: the more, the better the sign between them was found. */
export function sureCells(rows: readonly HeadRow[]): number {
  const width = usualWidth(rows);
  let sure = 0;
  for (const { cells } of rows)
    if (cells.length === width)
      for (const cell of cells) if (isNumber(cell) || dateParts(cell) !== null) sure += 1;
  return width < 2 ? 0 : sure;
}

/** The names of columns; those that stand twice are counted, those that are missing too. */
export function columnNames(rows: readonly HeadRow[], layout: Lines, timeAt: number): string[] {
  const headers = layout.headers.flatMap((line) => rows.find((row) => row.line === line) ?? []);
  const units = rows.find(({ line }) => line === layout.units);
  const records = rows.filter(({ line }) => line >= layout.firstRecord);
  const width = Math.max(
    ...headers.map((row) => trimmed(row).length),
    headers.length === 0 ? usualWidth(records) : 0,
    units ? trimmed(units).length : 0,
  );
  const taken = new Map<string, number>();
  return Array.from({ length: width }, (_, at) => {
    const parts = [...new Set(headers.map(({ cells }) => cells[at] ?? '').filter(Boolean))];
    const joined = parts.join(' ').replace(/^#/, '').trim();
    const name = (joined || (at === timeAt ? 'time' : `column ${at + 1}`)).slice(0, 300);
    const count = (taken.get(name) ?? 0) + 1;
    taken.set(name, count);
    return count === 1 ? name : `${name} (${count})`;
  });
}

/** The units of a line of them, without brackets; null where a column has none. */
export function unitsIn(row: HeadRow | undefined): (string | null)[] {
  return (row?.cells ?? []).map((cell) => {
    const text = /^[[(](.*)[\])]$/.exec(cell)?.[1]?.trim() ?? cell;
    return text === '' || (DATE_PATTERN.test(text) && !readUnit(text)) || text.length > 40 ? null : text;
  });
}

/** Which column has the times, by the records alone; -1 where none has. */
export function timeColumnIn(rows: readonly HeadRow[], width = usualWidth(rows)): number {
  const count = (is: (cell: string) => boolean) =>
    Array.from({ length: width }, (_, at) => rows.filter(({ cells }) => is(cells[at] ?? '')).length);
  for (const is of [
    (cell: string) => dateParts(cell) !== null,
    (cell: string) => EPOCH.test(cell),
    (cell: string) => EXCEL.test(cell),
  ]) {
    const counts = count(is);
    const most = Math.max(0, ...counts);
    if (most > 0 && most * 3 >= rows.filter((row) => row.cells.length >= width).length)
      return counts.indexOf(most);
  }
  return -1;
}

function firstRecord(rows: readonly HeadRow[], width: number, timeAt: number): number {
  if (timeAt < 0) {
    const header = rows.findIndex((row) => trimmed(row).length === width);
    return header < 0 ? rows.length : header + 1;
  }
  const isTime = isTimeIn(rows, timeAt);
  let first = rows.findIndex((row) => isTime(row.cells[timeAt] ?? ''));
  if (first < 0) return rows.length;
  // A record whose time is none is one all the same: it has numbers where names would be.
  while (first > 0 && isRecord(rows[first - 1] as HeadRow, timeAt, width)) first -= 1;
  return first;
}

function isTimeIn(rows: readonly HeadRow[], at: number): (cell: string) => boolean {
  if (rows.some(({ cells }) => dateParts(cells[at] ?? '') !== null))
    return (cell) => dateParts(cell) !== null;
  return (cell) => EPOCH.test(cell) || EXCEL.test(cell);
}

function isRecord({ cells }: HeadRow, timeAt: number, width: number): boolean {
  const values = cells.filter((cell, at) => at !== timeAt && cell !== '');
  return cells.length === width && values.length > 0 && values.every(isNumber) && cells[timeAt] !== '';
}

/** Cells that most lines have. */
function usualWidth(rows: readonly HeadRow[]): number {
  const counts = new Map<number, number>();
  for (const { cells } of rows) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1);
  const [width] = [...counts].reduce((best, one) => (one[1] > best[1] ? one : best), [0, 0] as [
    number,
    number,
  ]);
  return width;
}

function isUnits({ cells }: HeadRow): boolean {
  const given = cells.filter((cell) => cell !== '');
  return (
    given.length > 0 &&
    given.every((cell) => {
      const inside = /^[[(](.*)[\])]$/.exec(cell)?.[1];
      return inside !== undefined || NO_UNIT.test(cell) || DATE_PATTERN.test(cell) || readUnit(cell) !== null;
    })
  );
}

/** The lowest line in which every column has a name of its own; else those lines that tell them apart together. */
function namesAmong(above: readonly HeadRow[], width: number, timeAt: number): HeadRow[] {
  const valuesOf = ({ cells }: HeadRow) => cells.filter((cell, at) => at !== timeAt && cell !== '');
  const distinct = (rows: readonly HeadRow[]) =>
    new Set(
      Array.from({ length: width }, (_, at) => rows.map(({ cells }) => cells[at] ?? '').join('\n')).filter(
        (_, at) => at !== timeAt,
      ),
    ).size;
  const isWhole = (row: HeadRow) => filled(row) === trimmed(row).length && filled(row) >= Math.min(width, 2);
  const whole =
    above.findLast((row) => isWhole(row) && TIME_NAME.test(row.cells[timeAt] ?? '')) ??
    above.findLast(isWhole);
  if (whole && new Set(valuesOf(whole)).size === valuesOf(whole).length) return [whole];
  // Names repeat from device to device; nothing above tells them apart where there is but one line.
  if (above.length <= 1) return [...above];
  const words = (row: HeadRow) => valuesOf(row).filter((cell) => !/\d{4}/.test(cell)).length;
  const by = (row: HeadRow) => distinct([row]) * 1000 + words(row);
  const base = above.reduce((best, row) => (by(row) > by(best) ? row : best));
  let chosen = [base];
  for (const row of above) {
    if (distinct(chosen) >= width - (timeAt < 0 ? 0 : 1)) break;
    const more = above.filter((one) => one === row || chosen.includes(one));
    if (distinct(more) > distinct(chosen)) chosen = more;
  }
  return chosen;
}

const filled = ({ cells }: HeadRow): number => cells.filter((cell) => cell !== '').length;

/** Without the empty cells at its end. */
function trimmed({ cells }: HeadRow): readonly string[] {
  let length = cells.length;
  while (length > 0 && cells[length - 1] === '') length -= 1;
  return cells.slice(0, length);
}
