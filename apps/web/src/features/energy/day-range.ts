import { PRESETS, type PresetName } from '@albedo/contract/time/presets';
import { presetLabel } from '../../ui/time-range/time-range.ts';
import { formatDay, wallTime } from '../../ui/time-range/zoned-time.ts';

/** Whole days: a preset, or the first and the last of them, both included. Days are `YYYY-MM-DD`. */
export type DayRange = { kind: 'preset'; preset: PresetName } | { kind: 'days'; from: string; to: string };

export interface Days {
  from: string;
  to: string;
}

const DAY_MS = 86_400_000;
/** The first day that can be asked for. */
const FIRST_DAY = '2000-01-01';

/** The presets that are whole days. */
export const DAY_PRESETS: readonly PresetName[] = [
  'yesterday',
  'last-7-days',
  'last-30-days',
  'last-week',
  'this-month',
  'last-month',
  'last-3-months',
  'last-6-months',
  'last-12-months',
  'this-calendar-year',
  'last-calendar-year',
];

export const dayRangeToText = (range: DayRange): string =>
  range.kind === 'preset' ? range.preset : `${range.from}_${range.to}`;

/** Null where the text is no range of days. */
export function dayRangeFromText(text: unknown): DayRange | null {
  if (typeof text !== 'string') return null;
  const preset = DAY_PRESETS.find((one) => one === text);
  if (preset) return { kind: 'preset', preset };
  const [from = '', to = '', ...rest] = text.split('_');
  return rest.length === 0 && isDay(from) && isDay(to) && from <= to && from >= FIRST_DAY
    ? { kind: 'days', from, to }
    : null;
}

/** The days that a range means now, by the clocks of `zone`; days that have not begun yet are left out. */
export function daysOf(range: DayRange, now: number, zone: string): Days {
  if (range.kind === 'days') return { from: range.from, to: range.to };
  const span = PRESETS[range.preset].span(now, zone);
  const [from, to, today] = [span.from, span.to - 1, now].map((at) => dayAt(at, zone)) as [
    string,
    string,
    string,
  ];
  return { from, to: to > today && from <= today ? today : to };
}

/** The days beside: whole months move by months, everything else by its own length. */
export function movedDays({ from, to }: Days, direction: -1 | 1): Days {
  const [first, last] = [atOf(from), atOf(to)];
  const months = wholeMonths(from, to);
  if (months !== null) {
    const start = new Date(first);
    const [year, month] = [start.getUTCFullYear(), start.getUTCMonth() + direction * months];
    return { from: dayOf(Date.UTC(year, month, 1)), to: dayOf(Date.UTC(year, month + months, 0)) };
  }
  const shift = direction * (last - first + DAY_MS);
  return { from: dayOf(first + shift), to: dayOf(last + shift) };
}

/** How many whole months the days are; null where they are none. */
function wholeMonths(from: string, to: string): number | null {
  const [first, next] = [new Date(atOf(from)), new Date(atOf(to) + DAY_MS)];
  if (first.getUTCDate() !== 1 || next.getUTCDate() !== 1) return null;
  return (next.getUTCFullYear() - first.getUTCFullYear()) * 12 + next.getUTCMonth() - first.getUTCMonth();
}

/** A range for people: the name of the preset, a month by its name, or its days. */
export function dayRangeLabel(range: DayRange, days: Days): string {
  if (range.kind === 'preset') return presetLabel(range.preset);
  return daysText(days);
}

/** `Oct 1 – Oct 31, 2026`, as the user's language writes days. */
export function daysText({ from, to }: Days): string {
  if (from === to) return dayText(from);
  const isOneYear = from.slice(0, 4) === to.slice(0, 4);
  return `${formatDay(atOf(from), 'UTC', isOneYear ? 'dayOfYear' : 'day')} – ${dayText(to)}`;
}

export const dayText = (day: string): string => formatDay(atOf(day), 'UTC');

/** The start of the day as UTC has it: where whole days stand in charts, whichever clock they were counted by. */
export const atOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);

export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

function dayAt(at: number, zone: string): string {
  const { year, month, day } = wallTime(at, zone);
  return dayOf(Date.UTC(year, month - 1, day));
}

const isDay = (text: string): boolean => {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? atOf(text) : Number.NaN;
  return Number.isFinite(at) && dayOf(at) === text;
};
