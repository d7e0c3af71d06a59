import type { FieldFilter, SearchFilter } from '@albedo/contract/telemetry/search.schema';
import { countGains } from '@albedo/energy/counters';
import { gapsIn } from './telemetry.weights.ts';

/** An event as the plain model of the search knows it. */
export interface ModelEvent {
  device: string;
  source: string;
  at: number;
  id: number;
  n: number | null;
  b: 0 | 1 | null;
  d: number | null;
  s: string | null;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const QUARTER = HOUR / 4;

/** True where the event fits; without the field it fits what is negative, and nothing else. */
export function fits(event: ModelEvent, filter: SearchFilter): boolean {
  if ('filters' in filter) {
    const each = (one: SearchFilter) => fits(event, one);
    return filter.operator === 'AND' ? filter.filters.every(each) : filter.filters.some(each);
  }
  const cell = event[filter.field as 'n'] as number | string | null;
  return fitsField(cell, filter);
}

function fitsField(cell: number | string | null, { field, operator, value }: FieldFilter): boolean {
  if (operator === 'EXISTS') return cell !== null;
  if (operator === 'NOT EXISTS') return cell === null;
  const wanted = (Array.isArray(value) ? value : [value]).map((one) => typedAs(field, one));
  if (operator === '=' || operator === 'IN') return cell !== null && wanted.includes(cell);
  if (operator === '!=' || operator === 'NOT IN') return cell === null || !wanted.includes(cell);
  if (cell === null) return false;
  const [one] = wanted as [number | string];
  if (operator === 'LIKE') return isLike(String(cell), String(one));
  if (operator === '>') return cell > one;
  if (operator === '>=') return cell >= one;
  return operator === '<' ? cell < one : cell <= one;
}

function typedAs(field: string, value: unknown): number | string {
  if (field === 's') return String(value);
  if (field === 'd') return typeof value === 'string' ? Date.parse(value) : Number(value);
  return value === 'true' || value === true ? 1 : value === 'false' || value === false ? 0 : Number(value);
}

const literal = (part: string): string => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

const isLike = (text: string, pattern: string): boolean =>
  new RegExp(`^${pattern.split('*').map(literal).join('.*')}$`, 'is').test(text);

const formats = new Map<string, Intl.DateTimeFormat>();
/** The local date, `2026-03-29`. */
function dateOf(ms: number, zone: string): string {
  const format =
    formats.get(zone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' });
  formats.set(zone, format);
  return format.format(ms);
}

const days = new Map<string, number>();
/** The first instant of the local day: every clock of today changes at a quarter of an hour. */
function dayStart(ms: number, zone: string): number {
  const date = dateOf(ms, zone);
  const id = `${zone} ${date}`;
  let start = days.get(id);
  if (start === undefined) {
    start = Math.floor(ms / QUARTER) * QUARTER;
    while (dateOf(start - 1, zone) === date) start -= QUARTER;
    days.set(id, start);
  }
  return start;
}

/** The local day that is so many days before. */
const daysBefore = (ms: number, count: number, zone: string): number =>
  dayStart(dayStart(ms, zone) + 12 * HOUR - count * DAY, zone);

/** Where the interval of an instant begins. */
export function startOf(ms: number, interval: string, zone: string): number {
  const [year, month, day] = dateOf(ms, zone).split('-').map(Number) as [number, number, number];
  const count = Number.parseInt(interval, 10);
  switch (interval.at(-1)) {
    case 'y': {
      const dayOfYear = Math.round((Date.UTC(year, month - 1, day) - Date.UTC(year, 0, 1)) / DAY);
      return daysBefore(ms, dayOfYear, zone);
    }
    case 'M':
      return daysBefore(ms, day - 1, zone);
    case 'w':
      return daysBefore(ms, (new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 6) % 7, zone);
    case 'd':
      return dayStart(ms, zone);
    default: {
      const step = count * (interval.endsWith('h') ? HOUR : HOUR / 60);
      const start = dayStart(ms, zone);
      return start + Math.floor((ms - start) / step) * step;
    }
  }
}

const LONGEST: Readonly<Record<string, number>> = { y: 366, M: 31, w: 7, d: 1 };

/** Where the interval that begins at `start` ends. */
export function endOf(start: number, interval: string, zone: string): number {
  const unit = interval.at(-1) as string;
  const length = LONGEST[unit];
  if (length !== undefined) return startOf(start + length * DAY + 2 * HOUR, interval, zone);
  const step = Number.parseInt(interval, 10) * (unit === 'h' ? HOUR : HOUR / 60);
  return Math.min(start + step, dayStart(dayStart(start, zone) + 26 * HOUR, zone));
}

type Values = { at: number; v: number }[];

/** Functions of the values of a group, oldest first. */
export const PLAIN: Readonly<Record<string, (values: Values) => number | null>> = {
  count: (values) => values.length,
  average: (values) => (values.length > 0 ? sum(values) / values.length : null),
  min: (values) => (values.length > 0 ? Math.min(...values.map(({ v }) => v)) : null),
  max: (values) => (values.length > 0 ? Math.max(...values.map(({ v }) => v)) : null),
  sum: (values) => (values.length > 0 ? sum(values) : null),
  first: (values) => values[0]?.v ?? null,
  last: (values) => values.at(-1)?.v ?? null,
  cardinality: (values) => new Set(values.map(({ v }) => v)).size,
  stdDeviation: (values) => {
    if (values.length === 0) return null;
    const mean = sum(values) / values.length;
    return Math.sqrt(values.reduce((all, { v }) => all + (v - mean) ** 2, 0) / values.length);
  },
};

const sum = (values: Values): number => values.reduce((all, { v }) => all + v, 0);

/** What a counter counted, in the pieces that intervals cut it into, between two instants; each at where its piece begins. */
export function* increases(
  values: Values,
  interval: string | null,
  zone: string,
  { from, to }: { from: number; to: number },
): Generator<{ at: number; v: number }> {
  for (const gain of countGains(values.map(({ at, v }) => ({ at, value: v }))).gains)
    for (let at = Math.max(from, gain.from); at < Math.min(to, gain.to); ) {
      const end = interval === null ? to : endOf(startOf(at, interval, zone), interval, zone);
      const until = Math.min(to, gain.to, end);
      yield { at, v: (gain.amount * (until - at)) / (gain.to - gain.from) };
      at = until;
    }
}

/** Every value of one stream for as long as it holds, cut at the edges of intervals; `v` is the value. Gaps are left out. */
export function* stretches(
  all: Values,
  interval: string | null,
  zone: string,
  maxGapMs: number | null,
): Generator<{ at: number; v: number; ms: number }> {
  const values = all.filter(({ at }, i) => at !== all[i + 1]?.at);
  const gaps = gapsIn(values.slice(1).map(({ at }, i) => at - (values[i]?.at ?? at)));
  for (const [i, { at, v }] of values.entries()) {
    const until = values[i + 1]?.at;
    if (until === undefined || (maxGapMs === null ? gaps[i] : until - at > maxGapMs)) continue;
    for (let from = at; from < until; ) {
      const end = interval === null ? until : endOf(startOf(from, interval, zone), interval, zone);
      const to = Math.min(until, end);
      yield { at: from, v, ms: to - from };
      from = to;
    }
  }
}
