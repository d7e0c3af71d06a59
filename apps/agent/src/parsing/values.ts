import type { ExpectType } from '@albedo/contract/devices/meta.schema';
import { isWhole64, LINK_LIMITS } from '@albedo/contract/link/link.messages';

/** A value as a batch carries it, or why the text is not a value. An empty text is null, which is no fault. */
export type Parsed = { value: number | string | null; fault?: undefined } | { value: null; fault: string };

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const DATE = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d):(\d\d)(?:[.,](\d{1,9}))?(Z|[+-]\d\d:?\d\d)?$/i;
const BOOLS: Record<string, number> = { true: 1, false: 0, '1': 1, '0': 0, yes: 1, no: 0, on: 1, off: 0 };

export function parseValue(text: string, expect: ExpectType): Parsed {
  if (expect === 'keyword' || expect === 'log') return parseText(text);
  const trimmed = text.trim();
  if (trimmed === '' || expect === 'discard') return { value: null };
  if (expect === 'decimal') return parseDecimal(trimmed);
  if (expect === 'integer') return parseInteger(trimmed);
  if (expect === 'bool') {
    const value = BOOLS[trimmed.toLowerCase()];
    return value === undefined ? bad(trimmed, 'is neither true nor false') : { value };
  }
  const value = parseDate(trimmed);
  return typeof value === 'number' ? { value } : bad(trimmed, value);
}

/**
 * Epoch ms of a date with seconds and an offset (`+0100`, `+01:00` or `Z`), or the reason why it is not a date.
 */
export function parseDate(text: string): number | string {
  const match = DATE.exec(text);
  if (!match) return 'is not a date like 2024-03-01T10:15:00+0100';
  const [, year, month, day, hour, minute, second, fraction, zone] = match;
  if (zone === undefined) return 'has no time zone';
  const wall = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
  );
  const check = new Date(wall);
  const exists =
    check.getUTCMonth() === Number(month) - 1 &&
    check.getUTCDate() === Number(day) &&
    Number(hour) < 24 &&
    Number(minute) < 60 &&
    Number(second) < 60;
  if (!exists || Number(year) < 100) return 'is not a date of the calendar';
  return wall + (fraction ? Math.floor(Number(`0.${fraction}`) * 1000) : 0) - offsetMs(zone);
}

function offsetMs(zone: string): number {
  if (zone.toUpperCase() === 'Z') return 0;
  const digits = zone.replace(':', '');
  const minutes = Number(digits.slice(1, 3)) * 60 + Number(digits.slice(3, 5));
  return (digits.startsWith('-') ? -minutes : minutes) * 60_000;
}

function parseText(text: string): Parsed {
  if (text === '') return { value: null };
  return { value: text.length > LINK_LIMITS.textLength ? text.slice(0, LINK_LIMITS.textLength) : text };
}

function parseDecimal(text: string): Parsed {
  if (!DECIMAL.test(text)) return bad(text, 'is not a number');
  const value = Number(text);
  return Number.isFinite(value) ? { value } : bad(text, 'is too large a number');
}

/**
 * Writers that round to six digits print large whole numbers as `1.23457e+07`, so that shape counts as whole. One that a double
 * cannot hold goes on as its digits.
 */
function parseInteger(text: string): Parsed {
  if (!DECIMAL.test(text)) return bad(text, 'is not a whole number');
  const value = Number(text);
  if (!Number.isInteger(value)) return bad(text, 'is not a whole number');
  if (Number.isSafeInteger(value)) return { value };
  const digits = /^[+-]?\d+$/.test(text) && text.length < 100 ? String(BigInt(text.replace('+', ''))) : '';
  return isWhole64(digits) ? { value: digits } : bad(text, 'is too large a whole number');
}

function bad(text: string, reason: string): Parsed {
  return { value: null, fault: `"${text.length > 80 ? `${text.slice(0, 80)}…` : text}" ${reason}` };
}
