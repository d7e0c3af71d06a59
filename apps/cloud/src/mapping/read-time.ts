import type { TIME_FORMATS } from '@albedo/contract/mapping/mapping.schema';
import { instantOf, instantsOf, type WallTime } from '@albedo/contract/time/zoned-time';

type Format = (typeof TIME_FORMATS)[number];

const CLOCK = String.raw`(?:[T ,]+(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?`;
const ISO = new RegExp(String.raw`^(\d{4})-(\d{2})-(\d{2})${CLOCK}\s*(Z|UTC|[+-]\d{2}:?\d{2})?$`, 'i');
const COUNTRY = new RegExp(String.raw`^(\d{1,2})[./-](\d{1,2})[./-](\d{4})${CLOCK}$`);

/** A time as it was written: an instant (epoch ms), or what clocks showed with the milliseconds of that second. */
type Written = { at: number } | { wall: WallTime; ms: number };

/** An instant as others wrote it, epoch ms; null where it is none. Dates that say no zone are in `timezone`. */
export function readTime(text: string, format: Format, timezone: string): number | null {
  const written = parse(text.trim(), format);
  if (written === null || 'at' in written) return written?.at ?? null;
  return instantOf(written.wall, timezone) + written.ms;
}

/**
 * As `readTime`, with every instant at which the clocks of the zone showed it, rising: two where the clocks were put back,
 * none where they skipped it. Null where the text is no time.
 */
export function readTimes(text: string, format: Format, timezone: string): number[] | null {
  const written = parse(text.trim(), format);
  if (written === null) return null;
  if ('at' in written) return [written.at];
  return instantsOf(written.wall, timezone).map((at) => at + written.ms);
}

/** How many of each make up a millisecond, where they are written as whole numbers that doubles do not hold. */
const PER_MS: ReadonlyMap<Format, bigint> = new Map([
  ['epoch_us', 1000n],
  ['epoch_ns', 1_000_000n],
]);

function parse(text: string, format: Format): Written | null {
  const perMs = PER_MS.get(format);
  if (perMs !== undefined) return /^\d{1,19}$/.test(text) ? { at: Number(BigInt(text) / perMs) } : null;
  if (format === 'epoch_s' || format === 'epoch_ms') {
    if (!/^-?\d+(?:\.\d+)?$/.test(text)) return null;
    return { at: Math.round(Number(text) * (format === 'epoch_s' ? 1000 : 1)) };
  }
  if (format === 'iso') {
    const [, year, month, day, hour, minute, second, part, zone] = ISO.exec(text) ?? [];
    if (year === undefined) return null;
    return written([year, month, day, hour, minute, second, part], zone ?? null);
  }
  const [, first, other, year, hour, minute, second, part] = COUNTRY.exec(text) ?? [];
  if (year === undefined) return null;
  const [day, month] = format === 'dmy' ? [first, other] : [other, first];
  return written([year, month, day, hour, minute, second, part], null);
}

type Part = string | undefined;

function written(parts: Part[], zone: string | null): Written | null {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.map((one) =>
    Number(one ?? 0),
  );
  const ms = Math.floor(Number(`0.${parts[6] ?? 0}`) * 1000);
  const utc = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  // The 30th of February would be a day in March.
  if (utc.getUTCMonth() !== month - 1 || utc.getUTCDate() !== day || hour > 23 || minute > 59 || second > 59)
    return null;
  if (zone === null) return { wall: { year, month, day, hour, minute, second }, ms };
  return { at: utc.getTime() + ms - offsetMs(zone) };
}

function offsetMs(zone: string): number {
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})$/.exec(zone) ?? [];
  if (sign === undefined) return 0;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}
