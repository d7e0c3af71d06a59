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

/** True for a name that clocks know, such as `Europe/Rome` or `UTC`. */
export function isTimeZone(name: string): boolean {
  try {
    formatOf(name);
    return true;
  } catch {
    return false;
  }
}

const DAY_MS = 86_400_000;
/** Days of one zone that are remembered: a decade and more of what a chart or an import goes over. */
const DAYS = 5_000;
const offsets = new Map<string, Map<number, number>>();

/** Years that dates count and write as clocks do: from 1900 to 9999. */
const isOrdinary = (at: number): boolean => at >= -2_208_988_800_000 && at < 253_402_300_800_000;

/** What the clocks of the zone show at the instant `at` (epoch ms). */
export function wallTime(at: number, timeZone: string): WallTime {
  if (!isOrdinary(at)) return formattedWallTime(at, timeZone);
  const wall = new Date(at + zoneOffsetMs(at, timeZone));
  return {
    year: wall.getUTCFullYear(),
    month: wall.getUTCMonth() + 1,
    day: wall.getUTCDate(),
    hour: wall.getUTCHours(),
    minute: wall.getUTCMinutes(),
    second: wall.getUTCSeconds(),
  };
}

/**
 * Distance of the zone's clocks from UTC at the instant `at`, ms; positive east of Greenwich.
 *
 * Formatting a date takes some ten microseconds, and charts, calculations and imports ask for millions: each day is
 * asked for once, and only those on which clocks change are looked at more closely.
 */
export function zoneOffsetMs(at: number, timeZone: string): number {
  if (timeZone === 'UTC') return 0;
  if (!isOrdinary(at)) return formattedOffsetMs(at, timeZone);
  const start = Math.floor(at / DAY_MS) * DAY_MS;
  const offset = startOffsetMs(start, timeZone);
  return offset === startOffsetMs(start + DAY_MS, timeZone) ? offset : formattedOffsetMs(at, timeZone);
}

function startOffsetMs(start: number, timeZone: string): number {
  let days = offsets.get(timeZone);
  if (!days) {
    days = new Map();
    offsets.set(timeZone, days);
  }
  let offset = days.get(start);
  if (offset === undefined) {
    offset = formattedOffsetMs(start, timeZone);
    if (days.size >= DAYS) days.clear();
    days.set(start, offset);
  }
  return offset;
}

function formattedWallTime(at: number, timeZone: string): WallTime {
  const wall: WallTime = { year: 0, month: 0, day: 0, hour: 0, minute: 0, second: 0 };
  for (const { type, value } of formatOf(timeZone).formatToParts(at)) {
    if (type in wall) wall[type as keyof WallTime] = Number(value);
  }
  return wall;
}

function formattedOffsetMs(at: number, timeZone: string): number {
  const wall = formattedWallTime(at, timeZone);
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

/** Every instant at which the clocks of the zone show `wall`, rising: none where a change skips it, two where one repeats it. */
export function instantsOf(wall: WallTime, timeZone: string): number[] {
  const { year, month, day, hour, minute, second } = wall;
  const asUtc = Date.UTC(year, month - 1, day, hour, minute, second);
  const offsets = [asUtc - 86_400_000, asUtc + 86_400_000].map((at) => zoneOffsetMs(at, timeZone));
  return [...new Set(offsets)]
    .map((offset) => asUtc - offset)
    .filter((at) => at + zoneOffsetMs(at, timeZone) === asUtc)
    .sort((a, b) => a - b);
}
