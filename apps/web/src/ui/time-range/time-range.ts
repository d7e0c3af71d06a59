import { t } from 'i18next';
import { formatClock, formatDay, formatInstant, instantOf, type WallTime, wallTime } from './zoned-time.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Instants in epoch ms; `from` is included, `to` is not. */
export interface Span {
  from: number;
  to: number;
}

type Rule = (now: number, timeZone: string) => Span;

interface Preset {
  span: Rule;
}

const hours =
  (count: number): Rule =>
  (now) => ({ from: now - count * HOUR, to: now });

/** Midnight `days` days from the day of `now`. */
function midnight(now: number, timeZone: string, days = 0): number {
  const { year, month, day } = wallTime(now, timeZone);
  return instantOf({ year, month, day: day + days }, timeZone);
}

/** Today and the `count` days before it, whole days. Source: domain rules of the searches page. */
const lastDays =
  (count: number): Rule =>
  (now, timeZone) => ({ from: midnight(now, timeZone, -count), to: midnight(now, timeZone, 1) });

const monthsBack =
  (count: number): Rule =>
  (now, timeZone) => {
    const { year, month, day } = wallTime(now, timeZone);
    const lastOfMonth = new Date(Date.UTC(year, month - count, 0)).getUTCDate();
    const from = instantOf({ year, month: month - count, day: Math.min(day, lastOfMonth) }, timeZone);
    return { from, to: midnight(now, timeZone, 1) };
  };

/** Days since the Monday of the week. */
function weekday(now: number, timeZone: string): number {
  const { year, month, day } = wallTime(now, timeZone);
  return (new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 6) % 7;
}

/** From the first of a month, `offset` months away, to the first `length` months later. */
const months =
  (offset: number, length: number): Rule =>
  (now, timeZone) => {
    const { year, month } = wallTime(now, timeZone);
    return {
      from: instantOf({ year, month: month + offset }, timeZone),
      to: instantOf({ year, month: month + offset + length }, timeZone),
    };
  };

const years =
  (offset: number): Rule =>
  (now, timeZone) => {
    const { year } = wallTime(now, timeZone);
    return {
      from: instantOf({ year: year + offset }, timeZone),
      to: instantOf({ year: year + offset + 1 }, timeZone),
    };
  };

const weeks =
  (offset: number): Rule =>
  (now, timeZone) => {
    const monday = offset * 7 - weekday(now, timeZone);
    return { from: midnight(now, timeZone, monday), to: midnight(now, timeZone, monday + 7) };
  };

/** Every preset by its name in addresses. Labels: specification 1, section 9. Days are whole days of the time zone. */
export const PRESETS = {
  'last-hour': { span: hours(1) },
  'last-6-hours': { span: hours(6) },
  'last-day': { span: hours(24) },
  today: { span: lastDays(0) },
  yesterday: {
    span: (now, timeZone) => ({ from: midnight(now, timeZone, -1), to: midnight(now, timeZone) }),
  },
  'last-3-days': { span: lastDays(3) },
  'last-5-days': { span: lastDays(5) },
  'last-7-days': { span: lastDays(7) },
  'last-14-days': { span: lastDays(14) },
  'last-30-days': { span: lastDays(30) },
  'this-week': { span: weeks(0) },
  'last-week': { span: weeks(-1) },
  'this-month': { span: months(0, 1) },
  'last-month': { span: months(-1, 1) },
  'last-3-months': { span: monthsBack(3) },
  'last-6-months': { span: monthsBack(6) },
  'last-12-months': { span: monthsBack(12) },
  'this-calendar-year': { span: years(0) },
  'last-calendar-year': { span: years(-1) },
} as const satisfies Record<string, Preset>;

export type PresetName = keyof typeof PRESETS;

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

export const RELATIVE_UNITS = { m: MINUTE, h: HOUR, d: DAY, w: 7 * DAY } as const;
export type RelativeUnit = keyof typeof RELATIVE_UNITS;

export type TimeRange =
  | { kind: 'preset'; preset: PresetName }
  /** The last so many minutes, hours, days (of 24 hours) or weeks. */
  | { kind: 'relative'; amount: number; unit: RelativeUnit }
  | { kind: 'absolute'; from: number; to: number };

export interface TimeRangeChoice {
  range: TimeRange;
  /** A zone's name, `utc`, `collected`, or empty for the browser's. */
  zone: string;
  /** The range follows the clock. */
  isRefreshing: boolean;
}

/** The instants that a range means now. A relative range and a preset are cut anew at each call. */
export function resolveRange(range: TimeRange, now: number, timeZone: string): Span {
  if (range.kind === 'absolute') return { from: range.from, to: range.to };
  if (range.kind === 'relative') return { from: now - range.amount * RELATIVE_UNITS[range.unit], to: now };
  return PRESETS[range.preset].span(now, timeZone);
}

/** A range as it stands in an address: `today`, `90m`, `2026-11-01T00:00Z_2026-11-08T00:00Z`. */
export function rangeToText(range: TimeRange): string {
  if (range.kind === 'preset') return range.preset;
  if (range.kind === 'relative') return `${range.amount}${range.unit}`;
  return `${shortIso(range.from)}_${shortIso(range.to)}`;
}

/** Null where the text is no range. */
export function rangeFromText(text: unknown): TimeRange | null {
  if (typeof text !== 'string') return null;
  if (Object.hasOwn(PRESETS, text)) return { kind: 'preset', preset: text as PresetName };
  const relative = /^([1-9]\d{0,4})([mhdw])$/.exec(text);
  if (relative) return { kind: 'relative', amount: Number(relative[1]), unit: relative[2] as RelativeUnit };
  const [from = Number.NaN, to = Number.NaN, ...rest] = text.split('_').map((part) => Date.parse(part));
  return rest.length === 0 && from < to ? { kind: 'absolute', from, to } : null;
}

/** Name of a preset. */
export const presetLabel = (preset: PresetName): string => t(`time.presets.${preset}`);

/** A range for people; absolute ones in the clocks of `timeZone`. */
export function rangeLabel(range: TimeRange, timeZone: string): string {
  if (range.kind === 'preset') return presetLabel(range.preset);
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

function shortIso(at: number): string {
  return new Date(at).toISOString().replace(/(:00)?\.000Z$/, 'Z');
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
