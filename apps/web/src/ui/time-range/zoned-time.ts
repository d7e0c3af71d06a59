import { instantOf, type WallTime, wallTime, zoneOffsetMs } from '@albedo/contract/time/zoned-time';
import { localeTag, perLocale } from '../units/locale.ts';

export { instantOf, type WallTime, wallTime, zoneOffsetMs };

/** Two digits. */
const two = (value: number): string => String(value).padStart(2, '0');

const DAY_PARTS = {
  day: { day: 'numeric', month: 'short', year: 'numeric' },
  dayOfYear: { day: 'numeric', month: 'short' },
  month: { month: 'short' },
  weekday: { weekday: 'long' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

const dayFormats = perLocale(() => new Map<string, Intl.DateTimeFormat>());

/** The day, the day without its year, the month or the day of the week, as the user's language writes it: `21 Nov 2026`. */
export function formatDay(at: number, timeZone: string, part: keyof typeof DAY_PARTS = 'day'): string {
  const key = `${part} ${timeZone}`;
  let format = dayFormats().get(key);
  if (!format) {
    format = new Intl.DateTimeFormat(localeTag(), { ...DAY_PARTS[part], timeZone });
    dayFormats().set(key, format);
  }
  return format.format(at);
}

/** `14:05`, with seconds `14:05:09`. */
export function formatClock(at: number, timeZone: string, withSeconds = false): string {
  const { hour, minute, second } = wallTime(at, timeZone);
  return `${two(hour)}:${two(minute)}${withSeconds ? `:${two(second)}` : ''}`;
}

/** `21 Nov 2026 14:05:09`. */
export function formatInstant(at: number, timeZone: string, withSeconds = true): string {
  return `${formatDay(at, timeZone)} ${formatClock(at, timeZone, withSeconds)}`;
}

/** The local reading with its offset, `2026-11-21T14:05:09+01:00`, for files that people and programs read. */
export function isoWithOffset(at: number, timeZone: string): string {
  const offsetMs = zoneOffsetMs(at, timeZone);
  const local = new Date(at + offsetMs).toISOString();
  const text = local.endsWith('.000Z') ? local.slice(0, 19) : local.slice(0, 23);
  if (offsetMs === 0) return `${text}Z`;
  const minutes = Math.round(Math.abs(offsetMs) / 60_000);
  return `${text}${offsetMs < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** `UTC+01:00` of the zone at an instant. */
export function offsetLabel(at: number, timeZone: string): string {
  const minutes = Math.round(zoneOffsetMs(at, timeZone) / 60_000);
  const absolute = Math.abs(minutes);
  return `UTC${minutes < 0 ? '−' : '+'}${two(Math.floor(absolute / 60))}:${two(absolute % 60)}`;
}

/** A zone as charts name it, with its offset at the instant: `Berlin, UTC+01:00`. */
export function zoneLabel(timeZone: string, at: number): string {
  const place = timeZone.slice(timeZone.lastIndexOf('/') + 1).replaceAll('_', ' ');
  return place === 'UTC' ? place : `${place}, ${offsetLabel(at, timeZone)}`;
}
