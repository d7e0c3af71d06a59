import { instantOf, wallTime } from './zoned-time.ts';

const HOUR = 3_600_000;

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

/** The last so many minutes, hours, days or weeks. */
export const SPAN = /^([1-9]\d{0,4})([mhdw])$/;
const UNITS_MS: Readonly<Record<string, number>> = { m: HOUR / 60, h: HOUR, d: 24 * HOUR, w: 7 * 24 * HOUR };

/** True for the name of a preset, and for the last so many minutes, hours, days (of 24 hours) or weeks: `90m`, `7d`. */
export const isSpanName = (name: string): boolean => Object.hasOwn(PRESETS, name) || SPAN.test(name);

/** What such a name means at the instant `now`; null for any other text. */
export function spanOf(name: string, now: number, timeZone: string): Span | null {
  if (Object.hasOwn(PRESETS, name)) return PRESETS[name as PresetName].span(now, timeZone);
  const [, amount = '', unit = ''] = SPAN.exec(name) ?? [];
  return amount === '' ? null : { from: now - Number(amount) * (UNITS_MS[unit] ?? 0), to: now };
}
