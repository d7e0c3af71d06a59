import { localeTag, perLocale } from './locale.ts';

const STEPS = [
  { factor: 1e12, prefix: 'T' },
  { factor: 1e9, prefix: 'G' },
  { factor: 1e6, prefix: 'M' },
  { factor: 1e3, prefix: 'k' },
] as const;

/** What stands where a value is missing. */
export const NO_VALUE = '–';

export type Prefix = '' | (typeof STEPS)[number]['prefix'];

export interface Scaling {
  factor: number;
  prefix: Prefix;
}

export const UNSCALED: Scaling = { factor: 1, prefix: '' };

/**
 * Step of 1000 at which `value` has one to three digits before its point. `highest` ends the steps.
 *
 * A value that would round up to 1000 takes the next step, so that 999,999 reads 1.00 M and not 1,000.00 k.
 */
export function scalingFor(value: number, highest: 'G' | 'T' = 'T'): Scaling {
  const steps = highest === 'T' ? STEPS : STEPS.slice(1);
  const absolute = Math.abs(value);
  for (const step of steps) if (absolute >= step.factor * 0.999995) return step;
  return UNSCALED;
}

/** Steps of 1000 (k, M, G, T) with 2 decimals; below 1000 at most the digits that matter. */
export function formatNumber(value: number | null | undefined): string {
  if (!isShown(value)) return NO_VALUE;
  const { factor, prefix } = scalingFor(value);
  return prefix === '' ? plain(value) : `${formatFixed(value / factor, 2)} ${prefix}`;
}

/** Counts: thousand, million, billion with 1 decimal; below a thousand the whole number. */
export function formatCount(value: number | null | undefined): string {
  if (!isShown(value)) return NO_VALUE;
  return withSign((Math.abs(value) < 999.5 ? grouped() : counts()).format(value));
}

const grouped = perLocale(
  (locale) => new Intl.NumberFormat(locale, { maximumFractionDigits: 0, signDisplay: 'negative' }),
);
const counts = perLocale(
  (locale) =>
    new Intl.NumberFormat(locale, {
      notation: 'compact',
      compactDisplay: 'long',
      minimumFractionDigits: 1,
      maximumFractionDigits: 1,
    }),
);

/** Every digit of a whole number, in groups of three. */
export function formatWhole(value: number | null | undefined): string {
  return isShown(value) ? withSign(grouped().format(value)) : NO_VALUE;
}

/** A number below the first step: 2 decimals, more only where the value would vanish; no empty decimals. */
export function plain(value: number): string {
  if (value === 0) return '0';
  const absolute = Math.abs(value);
  if (absolute < 1e-6) return withSign(value.toExponential(2));
  return formatDecimal(value, decimalsBelow(absolute));
}

/** Decimals at most of a number below the first step: 2, more only where it would vanish. */
export const decimalsBelow = (absolute: number): number =>
  absolute >= 0.1 ? 2 : Math.min(8, 2 - Math.floor(Math.log10(absolute)));

const decimalFormats = perLocale(() => new Map<string, Intl.NumberFormat>());

function decimalFormat(least: number, most: number): Intl.NumberFormat {
  const key = `${least} ${most}`;
  let format = decimalFormats().get(key);
  if (!format) {
    format = new Intl.NumberFormat(localeTag(), {
      minimumFractionDigits: least,
      maximumFractionDigits: most,
      signDisplay: 'negative',
    });
    decimalFormats().set(key, format);
  }
  return format;
}

/** Exactly so many decimals, in the user's notation. */
export const formatFixed = (value: number, decimals: number): string =>
  withSign(decimalFormat(decimals, decimals).format(value));

/** At most so many decimals, no empty ones, in the user's notation. */
export const formatDecimal = (value: number, decimals: number): string =>
  withSign(decimalFormat(0, decimals).format(value));

export function isShown(value: number | null | undefined): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

/** A minus sign as wide as a digit, and no minus before a zero. */
export function withSign(text: string): string {
  if (!text.startsWith('-')) return text;
  return /[1-9]/.test(text) ? `\u2212${text.slice(1)}` : text.slice(1);
}
