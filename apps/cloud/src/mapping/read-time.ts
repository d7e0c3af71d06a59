import type { TimeFormat } from '@albedo/contract/mapping/mapping.schema';
import { instantOf, instantsOf, type WallTime, zoneOffsetMs } from '@albedo/contract/time/zoned-time';

const CLOCK = String.raw`(?:[T ,]+(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:\s*([ap])\.?\s?m\.?)?)?`;
const ZONE = String.raw`(?:\s*(Z|[+-]\d{2}:?\d{2})|\s*([a-z]{3,5}))?`;
const ISO = new RegExp(String.raw`^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})${CLOCK}${ZONE}$`, 'i');
const COUNTRY = new RegExp(String.raw`^(\d{1,2})[./-](\d{1,2})[./-](\d{4}|\d{2})${CLOCK}${ZONE}$`, 'i');
const EXCEL = new RegExp(String.raw`^(\d{1,7}(?:[.,]\d+)?)${CLOCK}$`, 'i');
const TIME_OF_DAY = /^\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?:\s*[ap]\.?\s?m\.?)?$/i;

/** Words after a time, with the distance from UTC that each has in one zone or another, in minutes. */
const WORDS: Readonly<Record<string, readonly number[]>> = {
  ...{
    WET: [0],
    WEST: [60],
    BST: [60],
    CET: [60],
    MEZ: [60],
    CEST: [120],
    MESZ: [120],
    EET: [120],
    EEST: [180],
  },
  ...{
    MSK: [180],
    TRT: [180],
    GST: [240],
    PKT: [300],
    SGT: [480],
    HKT: [480],
    AWST: [480],
    JST: [540],
    KST: [540],
  },
  ...{ SAST: [120], CAT: [120], EAT: [180], WAT: [60], IST: [60, 120, 330], IDT: [180], CST: [-360, 480] },
  ...{ ACST: [570], ACDT: [630], AEST: [600], AEDT: [660], NZST: [720], NZDT: [780] },
  ...{
    NST: [-210],
    NDT: [-150],
    AST: [-240, 180],
    ADT: [-180],
    EST: [-300, 600],
    EDT: [-240, 660],
    CDT: [-300],
    MST: [-420],
  },
  ...{
    MDT: [-360],
    PST: [-480],
    PDT: [-420],
    AKST: [-540],
    AKDT: [-480],
    HST: [-600],
    BRT: [-180],
    CLT: [-240],
  },
  ...{ CLST: [-180], ART: [-180] },
};
/** Summer of whatever zone it is. */
const SUMMER = 'DST';
const UTC: ReadonlySet<string> = new Set(['UTC', 'GMT']);
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Day 0 of spreadsheets. */
const EXCEL_DAY_0 = Date.UTC(1899, 11, 30);

/** A time as it was written: an instant (epoch ms), or what clocks showed with the milliseconds of that second. */
type Written = { at: number } | { wall: WallTime; ms: number; word: string | null };

/**
 * An instant as others wrote it, epoch ms; null where it is none. Dates that say no zone are in `timezone`; a word behind them has to
 * be one of that zone's.
 */
export function readTime(
  text: string,
  format: TimeFormat,
  timezone: string,
  isStandard = false,
): number | null {
  const written = parse(text.trim(), format);
  if (written === null || 'at' in written) return written?.at ?? null;
  const all = shownAt(written, timezone, isStandard);
  return all && (all[0] ?? instantOf(written.wall, timezone) + written.ms);
}

/**
 * As `readTime`, with every instant at which the clocks of the zone showed it, rising: two where the clocks were put back,
 * none where they skipped it. Null where the text is no time.
 */
export function readTimes(
  text: string,
  format: TimeFormat,
  timezone: string,
  isStandard = false,
): number[] | null {
  const written = parse(text.trim(), format);
  if (written === null) return null;
  return 'at' in written ? [written.at] : shownAt(written, timezone, isStandard);
}

/** A date and the time of day that stands beside it, as one text; spreadsheets write the latter as part of a day. */
export function joinedTime(date: string, clock: string): string {
  const part = /^(?:0|1)?(?:[.,]\d+)?$/.test(clock) ? Number(clock.replace(',', '.')) : Number.NaN;
  if (clock === '' || Number.isNaN(part)) return `${date} ${clock}`.trim();
  const at = new Date(Math.round(part * 86_400) * 1000).toISOString();
  return `${date} ${part >= 1 ? '24:00:00' : at.slice(11, 19)}`;
}

/** Whether a text is the time of a day, without a date. */
export const isTimeOfDay = (text: string): boolean => TIME_OF_DAY.test(text);

/** What a text says of the clock that wrote it: null where it is no date of these formats. */
export function dateParts(
  text: string,
): { isYearFirst: boolean; hasClock: boolean; isHalfDay: boolean } | null {
  const iso = ISO.exec(text);
  if (iso) return { isYearFirst: true, hasClock: iso[5] !== undefined, isHalfDay: iso[9] !== undefined };
  const other = COUNTRY.exec(text);
  return other && { isYearFirst: false, hasClock: other[4] !== undefined, isHalfDay: other[8] !== undefined };
}

/** Null if the zone does not use the abbreviation after the time. */
function shownAt(
  { wall, ms, word }: Extract<Written, { wall: WallTime }>,
  timezone: string,
  isStandard: boolean,
): number[] | null {
  const { year, month, day, hour, minute, second } = wall;
  const shown = Date.UTC(year, month - 1, day, hour, minute, second) + ms;
  if (word === SUMMER) {
    const summer = summerOffsetMs(year, timezone);
    return summer === standardOffsetMs(year, timezone) ? null : [shown - summer];
  }
  if (word !== null) {
    const ofZone = [standardOffsetMs(year, timezone), summerOffsetMs(year, timezone)];
    const minutes = WORDS[word]?.find((one) => ofZone.includes(one * MINUTE_MS));
    return minutes === undefined ? null : [shown - minutes * MINUTE_MS];
  }
  if (isStandard) return [shown - standardOffsetMs(year, timezone)];
  return instantsOf(wall, timezone).map((at) => at + ms);
}

/** Distances of a zone from UTC in the middle of winter and of summer, wherever those are. */
const offsetsMs = (year: number, timezone: string): number[] =>
  [0, 6].map((month) => zoneOffsetMs(Date.UTC(year, month, 1, 12), timezone));

const standardOffsetMs = (year: number, timezone: string): number => Math.min(...offsetsMs(year, timezone));
const summerOffsetMs = (year: number, timezone: string): number => Math.max(...offsetsMs(year, timezone));

/** How many of each make up a millisecond, where they are written as whole numbers that doubles do not hold. */
const PER_MS: ReadonlyMap<TimeFormat, bigint> = new Map([
  ['epoch_us', 1000n],
  ['epoch_ns', 1_000_000n],
]);

function parse(text: string, format: TimeFormat): Written | null {
  const perMs = PER_MS.get(format);
  if (perMs !== undefined) return /^\d{1,19}$/.test(text) ? { at: Number(BigInt(text) / perMs) } : null;
  if (format === 'epoch_s' || format === 'epoch_ms') {
    if (!/^-?\d+(?:\.\d+)?$/.test(text)) return null;
    return { at: Math.round(Number(text) * (format === 'epoch_s' ? 1000 : 1)) };
  }
  if (format === 'excel') return ofExcel(text);
  const [, first, other, third, ...rest] = (format === 'iso' ? isoParts(text) : COUNTRY.exec(text)) ?? [];
  if (first === undefined || other === undefined || third === undefined) return null;
  if (format === 'iso') return written([first, other, third], rest);
  const [day, month] = format === 'dmy' ? [first, other] : [other, first];
  return written([fullYear(third), month, day], rest);
}

/** Without the sign between the parts of the date. */
function isoParts(text: string): (string | undefined)[] | null {
  const found = ISO.exec(text);
  return found && [found[0], found[1], ...found.slice(3)];
}

/** 26 is 2026; what would lie ahead of 2070 was in the century before. */
const fullYear = (year: string): string =>
  year.length === 2 ? String(Number(year) + (Number(year) < 70 ? 2000 : 1900)) : year;

function ofExcel(text: string): Written | null {
  const [, days, ...clock] = EXCEL.exec(text) ?? [];
  if (days === undefined) return null;
  const exact = EXCEL_DAY_0 + Number(days.replace(',', '.')) * DAY_MS;
  const whole = Math.round(exact / 1000) * 1000;
  // Seven decimals of a day, as they are often written, are some milliseconds beside the second.
  const at = new Date(Math.abs(exact - whole) <= 50 ? whole : Math.round(exact));
  if (Number.isNaN(at.getTime())) return null;
  const date = [at.getUTCFullYear(), at.getUTCMonth() + 1, at.getUTCDate()].map(String);
  if (clock[0] !== undefined) return written(date as [string, string, string], clock);
  const [hour, minute, second, part] = [
    at.getUTCHours(),
    at.getUTCMinutes(),
    at.getUTCSeconds(),
    String(at.getUTCMilliseconds()).padStart(3, '0'),
  ].map(String);
  return written(date as [string, string, string], [hour, minute, second, part]);
}

type Part = string | undefined;

function written(
  date: readonly [string, string, string],
  [hourText, minuteText, secondText, part, half, offset, word]: readonly Part[],
): Written | null {
  const [year, month, day] = date.map(Number) as [number, number, number];
  const [minute, second] = [Number(minuteText ?? 0), Number(secondText ?? 0)];
  const hour = hourOf(Number(hourText ?? 0), half);
  const midnight = new Date(Date.UTC(year, month - 1, day));
  // The 30th of February would be a day in March.
  if (midnight.getUTCMonth() !== month - 1 || midnight.getUTCDate() !== day || hour === null) return null;
  const isEndOfDay = hour === 24 && minute === 0 && second === 0;
  if ((hour > 23 && !isEndOfDay) || minute > 59 || second > 59) return null;
  const ms = Math.floor(Number(`0.${part ?? 0}`) * 1000);
  const utc = new Date(midnight.getTime() + ((hour * 60 + minute) * 60 + second) * 1000);
  const zone = word?.toUpperCase();
  if (offset !== undefined || (zone !== undefined && UTC.has(zone)))
    return { at: utc.getTime() + ms - offsetMs(offset ?? 'Z') };
  if (zone !== undefined && zone !== SUMMER && !Object.hasOwn(WORDS, zone)) return null;
  const wall = {
    year: utc.getUTCFullYear(),
    month: utc.getUTCMonth() + 1,
    day: utc.getUTCDate(),
    hour: utc.getUTCHours(),
    minute,
    second,
  };
  return { wall, ms, word: zone ?? null };
}

/** Null where a clock of twelve hours shows no such hour. */
function hourOf(hour: number, half: Part): number | null {
  if (half === undefined) return hour;
  if (hour < 1 || hour > 12) return null;
  return (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
}

function offsetMs(zone: string): number {
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})$/.exec(zone) ?? [];
  if (sign === undefined) return 0;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}
