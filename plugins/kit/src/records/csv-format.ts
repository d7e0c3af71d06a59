import type { Column, Value } from './record.ts';

const TIME_COLUMN: Column = { name: 'Datetime', type: 'date' };

/** First line of a file: `# Datetime(date),AC Power(decimal:W)`, without the line end. */
export function headerLine(columns: Column[]): string {
  return `# ${[TIME_COLUMN, ...columns].map((column) => escapeCell(columnText(column))).join(',')}`;
}

/** `name(type:units)`; units are left out where there are none. */
export function columnText({ name, type, units }: Column): string {
  return `${name}(${units ? `${type}:${units}` : type})`;
}

/** One line of data without the line end; `offsetMinutes` is the zone of the time stamp, east positive. */
export function dataLine(at: number, values: Value[], offsetMinutes = localOffsetMinutes(at)): string {
  return [timestamp(at, offsetMinutes), ...values.map((value) => escapeCell(cellText(value)))].join(',');
}

/** `2026-03-01T10:15:00+0100`, with milliseconds where there are any. */
export function timestamp(at: number, offsetMinutes: number): string {
  const shifted = withoutZone(new Date(at + offsetMinutes * 60_000));
  const minutes = Math.abs(offsetMinutes);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${shifted}${offsetMinutes < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}${two(minutes % 60)}`;
}

/** Whole seconds stay as they always were written. */
const withoutZone = (instant: Date): string => instant.toISOString().replace(/(?:\.000)?Z$/, '');

/** Minutes that this machine's zone is east of UTC at an instant. */
export const localOffsetMinutes = (at: number): number => -new Date(at).getTimezoneOffset();

/** A value as text, with all its digits; what was not measured is empty. */
export function cellText(value: Value): string {
  if (value === null) return '';
  if (value instanceof Date) return `${withoutZone(value)}Z`;
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : '';
  return typeof value === 'boolean' ? (value ? '1' : '0') : value;
}

/**
 * A text of a machine on one line: its line breaks and other control characters become blanks, since they would look like
 * lines of ours, or steer the terminal of whoever reads them.
 */
export const oneLine = (text: string): string => text.replace(/\r\n|[\p{Cc}\u2028\u2029]/gu, ' ');

/** Quotes only where needed; quotes and backslashes inside get a backslash. */
function escapeCell(text: string): string {
  const flat = oneLine(text).replace(/["\\]/g, '\\$&');
  return /[",]/.test(flat) ? `"${flat}"` : flat;
}
