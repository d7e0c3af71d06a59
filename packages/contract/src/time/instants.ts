import { instantOf } from './zoned-time.ts';

/** What stores can hold, epoch ms. */
export const FIRST_INSTANT = Date.UTC(1900, 0, 1);
export const LAST_INSTANT = Date.UTC(2299, 11, 31);

const DATE =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/** Epoch ms as text, from 1973 to 2286: fewer digits may as well be a year, a day or seconds. */
const DIGITS = /^\d{12,13}$/;

/**
 * An instant, epoch ms: a number of them, its 12 or 13 digits as text, or a date of ISO 8601, which without a zone is one of
 * `timeZone` and without a time its midnight. Null for everything else, such as `2026`, `05/01/2026` or 30 February.
 */
export function toInstant(value: unknown, timeZone: string): number | null {
  if (typeof value === 'number') return isStorable(value) ? Math.trunc(value) : null;
  if (typeof value === 'string' && DIGITS.test(value)) return toInstant(Number(value), timeZone);
  const match = typeof value === 'string' ? DATE.exec(value) : null;
  if (!match) return null;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate();
  if (month < 1 || month > 12 || day < 1 || day > lastDay) return null;
  if (hour > 23 || minute > 59 || second > 59) return null;
  const ms = Number((match[7] ?? '').padEnd(3, '0').slice(0, 3));
  const offset = match[8] === undefined ? null : offsetMs(match[8]);
  if (Number.isNaN(offset)) return null;
  const at =
    offset === null
      ? instantOf({ year, month, day, hour, minute, second }, timeZone)
      : Date.UTC(year, month - 1, day, hour, minute, second) - offset;
  return isStorable(at) ? at + ms : null;
}

/** NaN for a distance that no zone has. */
function offsetMs(text: string): number {
  if (text === 'Z') return 0;
  const [hours, minutes] = [Number(text.slice(1, 3)), Number(text.slice(-2))];
  if (hours > 14 || minutes > 59) return Number.NaN;
  return (text.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}

const isStorable = (at: number): boolean => at >= FIRST_INSTANT && at <= LAST_INSTANT;
