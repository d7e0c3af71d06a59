import type { ColumnType, Value } from '../records/record.ts';
import type { Field } from './field-file.ts';
import { isNotMeasured } from './not-measured.ts';
import { isPlainScale, type Scale, scaled } from './scale.ts';

const UNSCALED: Scale = { factor: 1, offset: 0 };
/** Longest text that a machine gets into a record, characters. */
const MOST_TEXT = 1000;
/** Numbers from here on are milliseconds since 1970, smaller ones seconds; as seconds it is the year 5138. */
const FIRST_MS = 1e11;

/** What a machine gave, as the field's column takes it; null where it does not fit or means "not measured". Never throws. */
export function fieldValue({ column, scale, names, notMeasured }: Field, raw: unknown): Value {
  if (raw === null || raw === undefined) return null;
  if (isNotMeasured(notMeasured, typeof raw === 'object' ? plainText(raw) : raw)) return null;
  if (names) return names.get(plainText(raw)) ?? plainText(raw);
  return columnValue(column.type, raw, scale);
}

/** As `fieldValue`, for a column without names. */
export function columnValue(type: ColumnType, raw: unknown, scale: Scale = UNSCALED): Value {
  if (raw === null || raw === undefined) return null;
  switch (type) {
    case 'bool':
      return truth(raw);
    case 'date':
      return instant(raw);
    case 'integer':
      return (
        (isPlainScale(scale) ? wideInteger(raw) : null) ?? finite(numberOf(raw), scale, Number.isInteger)
      );
    case 'decimal':
      return finite(numberOf(raw), scale, Number.isFinite);
    default:
      return plainText(raw);
  }
}

/** Digits, where a number would lose the last ones; null for numbers that keep them. */
function wideInteger(raw: unknown): string | null {
  const digits = typeof raw === 'bigint' || typeof raw === 'string' ? String(raw).trim() : '';
  return /^-?\d{16,40}$/.test(digits) && !Number.isSafeInteger(Number(digits)) ? digits : null;
}

function finite(raw: number, scale: Scale, fits: (value: number) => boolean): number | null {
  const value = scaled(raw, scale);
  return fits(value) ? value : null;
}

/** One line of text without what terminals obey, cut where it is long. */
export function plainText(raw: unknown): string {
  const text =
    raw instanceof Date
      ? Number.isNaN(raw.getTime())
        ? ''
        : raw.toISOString()
      : typeof raw === 'object' && raw !== null
        ? jsonOf(raw)
        : String(raw);
  return text
    .slice(0, MOST_TEXT)
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
    .trim();
}

function jsonOf(raw: object): string {
  try {
    return JSON.stringify(raw);
  } catch {
    // Nested deeper than can be written, or in itself.
    return '';
  }
}

function numberOf(raw: unknown): number {
  if (typeof raw === 'number' || typeof raw === 'bigint' || typeof raw === 'boolean') return Number(raw);
  if (typeof raw !== 'string') return Number.NaN;
  const text = raw.trim();
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
}

function truth(raw: unknown): boolean | null {
  if (typeof raw === 'boolean') return raw;
  if (typeof raw === 'number') return Number.isNaN(raw) ? null : raw !== 0;
  if (typeof raw === 'bigint') return raw !== 0n;
  const word = String(raw).trim().toLowerCase();
  if (['1', 'true', 'on', 'yes'].includes(word)) return true;
  return ['0', 'false', 'off', 'no'].includes(word) ? false : null;
}

/** An instant from ISO 8601, or from seconds or milliseconds since 1970; null for what is none. */
export function instant(raw: unknown): Date | null {
  const asNumber = numberOf(raw);
  const at =
    raw instanceof Date
      ? raw
      : Number.isFinite(asNumber)
        ? new Date(asNumber < FIRST_MS ? asNumber * 1000 : asNumber)
        : new Date(typeof raw === 'string' ? raw : Number.NaN);
  const year = at.getUTCFullYear();
  // Outside of these an ISO time has more digits, which nothing else reads.
  return year >= 0 && year <= 9999 ? at : null;
}
