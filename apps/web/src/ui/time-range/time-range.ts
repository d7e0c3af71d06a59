import { FIRST_INSTANT } from '@albedo/contract/time/instants';
import { PRESETS, type PresetName, type Span } from '@albedo/contract/time/presets';
import {
  ALL_TIME,
  RELATIVE_UNITS,
  type RelativeUnit,
  rangeFromText,
  rangeToText,
  type TimeRange,
} from '@albedo/contract/time/ranges';
import { t } from 'i18next';
import { formatClock, formatDay, formatInstant, instantOf, type WallTime, wallTime } from './zoned-time.ts';

const MINUTE = 60_000;

export {
  PRESETS,
  type PresetName,
  RELATIVE_UNITS,
  type RelativeUnit,
  rangeFromText,
  rangeToText,
  type Span,
  type TimeRange,
};

export const STANDARD_PRESETS: readonly PresetName[] = [
  'last-hour',
  'today',
  'yesterday',
  'last-3-days',
  'last-5-days',
  'last-7-days',
  'last-14-days',
  'last-30-days',
  'this-week',
  'last-week',
  'this-month',
  'last-month',
  'last-3-months',
  'last-6-months',
  'last-12-months',
  'this-calendar-year',
  'last-calendar-year',
];

/** The shorter set; auto-refresh offers the same, and None. */
export const SHORT_PRESETS: readonly PresetName[] = [
  'last-hour',
  'last-6-hours',
  'last-day',
  'last-3-days',
  'last-7-days',
];

export interface TimeRangeChoice {
  range: TimeRange;
  /** A zone's name, `utc`, `collected`, or empty for the browser's. */
  zone: string;
  /** The range follows the clock. */
  isRefreshing: boolean;
}

/** The instants that a range means now. A relative range and a preset are computed again at each call. */
export function resolveRange(range: TimeRange, now: number, timeZone: string): Span {
  if (range.kind === 'absolute') return { from: range.from, to: range.to };
  if (range.kind === 'all') return { from: FIRST_INSTANT, to: now };
  if (range.kind === 'relative') return { from: now - range.amount * RELATIVE_UNITS[range.unit], to: now };
  return PRESETS[range.preset].span(now, timeZone);
}

/** As `rangeFromText`, where all time can be asked for too. */
export const anyRangeFromText = (text: unknown): TimeRange | null =>
  text === ALL_TIME ? { kind: 'all' } : rangeFromText(text);

/** Name of a preset. */
export const presetLabel = (preset: PresetName): string => t(`time.presets.${preset}`);

/** A range for people; absolute ones in the clocks of `timeZone`. */
export function rangeLabel(range: TimeRange, timeZone: string): string {
  if (range.kind === 'preset') return presetLabel(range.preset);
  if (range.kind === 'all') return t('time.allTime');
  if (range.kind === 'relative') return t(`time.last.${range.unit}`, { count: range.amount });
  const withSeconds = range.to - range.from < 10 * MINUTE;
  const from = formatInstant(range.from, timeZone, withSeconds);
  const isOneDay = formatDay(range.from, timeZone) === formatDay(range.to, timeZone);
  const to = (isOneDay ? formatClock : formatInstant)(range.to, timeZone, withSeconds);
  return `${from} – ${to}`;
}

/** How often a range that moves is asked for again: often enough that one pixel in a hundred changes, ms. */
export function refreshIntervalMs(span: Span): number {
  return Math.min(5 * MINUTE, Math.max(10_000, Math.round((span.to - span.from) / 360)));
}

/** The span without its part that has not happened yet, so that a chart of today does not end in an empty half. */
export function untilNow(span: Span, now: number): Span {
  return span.from < now && now < span.to ? { from: span.from, to: now } : span;
}

/** The reading of `at` for the two fields of a calendar. */
export function calendarFields(at: number, timeZone: string): { date: string; time: string } {
  const wall: WallTime = wallTime(at, timeZone);
  const two = (value: number) => String(value).padStart(2, '0');
  return {
    date: `${String(wall.year).padStart(4, '0')}-${two(wall.month)}-${two(wall.day)}`,
    time: `${two(wall.hour)}:${two(wall.minute)}`,
  };
}

/** The instant of a date (`2026-11-21`) and a time (`14:05`) in the zone; null where they are no date and time. */
export function fromCalendarFields(date: string, time: string, timeZone: string): number | null {
  const day = /^(\d{4})-(\d{2})-(\d{2})$/.exec(date);
  const clock = /^(\d{1,2}):(\d{2})(?::(\d{2}))?$/.exec(time);
  if (!day || !clock) return null;
  const [hour, minute, second] = [Number(clock[1]), Number(clock[2]), Number(clock[3] ?? 0)];
  if (hour > 23 || minute > 59 || second > 59) return null;
  return instantOf(
    { year: Number(day[1]), month: Number(day[2]), day: Number(day[3]), hour, minute, second },
    timeZone,
  );
}
