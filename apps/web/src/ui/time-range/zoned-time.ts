import { localeTag, perLocale } from '../units/locale.ts';

/** A wall clock reading; `month` is 1 to 12. */
export interface WallTime {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    formats.set(timeZone, format);
  }
  return format;
}

/** What the clocks of the zone show at the instant `at` (epoch ms). */
export function wallTime(at: number, timeZone: string): WallTime {
  const wall: WallTime = { year: 0, month: 0, day: 0, hour: 0, minute: 0, second: 0 };
  for (const { type, value } of formatOf(timeZone).formatToParts(at)) {
    if (type in wall) wall[type as keyof WallTime] = Number(value);
  }
  return wall;
}

/** Distance of the zone's clocks from UTC at the instant `at`, ms; positive east of Greenwich. */
export function zoneOffsetMs(at: number, timeZone: string): number {
  const wall = wallTime(at, timeZone);
  const asUtc = Date.UTC(wall.year, wall.month - 1, wall.day, wall.hour, wall.minute, wall.second);
  return asUtc - Math.floor(at / 1000) * 1000;
}

/**
 * The instant at which the clocks of the zone show `wall`. Fields may overflow (day 0 is the last of the month before).
 *
 * A reading that a clock change skips is the same distance after the change; of one that comes twice, the first.
 */
export function instantOf(wall: Partial<WallTime> & { year: number }, timeZone: string): number {
  const { year, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = wall;
  const asUtc = Date.UTC(year, month - 1, day, hour, minute, second);
  const before = asUtc - zoneOffsetMs(asUtc - 86_400_000, timeZone);
  const after = asUtc - zoneOffsetMs(asUtc + 86_400_000, timeZone);
  if (before === after) return before;
  const fits = [before, after].filter((at) => at + zoneOffsetMs(at, timeZone) === asUtc);
  return fits.length > 0 ? Math.min(...fits) : before;
}

/** Two digits. */
const two = (value: number): string => String(value).padStart(2, '0');

const DAY_PARTS = {
  day: { day: 'numeric', month: 'short', year: 'numeric' },
  dayOfYear: { day: 'numeric', month: 'short' },
  month: { month: 'short' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

const dayFormats = perLocale(() => new Map<string, Intl.DateTimeFormat>());

/** The day, the day without its year, or the month, as the user's language writes it: `21 Nov 2026`. */
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
