import { localeTag, perLocale } from './locale.ts';
import { withSign } from './numbers.ts';

export interface Money {
  value: number;
  /** ISO 4217, three letters. */
  currency: string;
}

const formats = perLocale(() => new Map<string, Intl.NumberFormat>());

/** An amount in the user's notation, with only the digits that matter in an estimate: `€3.30`, `€1,240`. */
export function formatMoney({ value, currency }: Money): string {
  const decimals = Math.abs(value) < 99.995 ? 2 : 0;
  const key = `${currency} ${decimals}`;
  let format = formats().get(key);
  if (!format) {
    const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
    format = new Intl.NumberFormat(localeTag(), { style: 'currency', currency, ...digits });
    formats().set(key, format);
  }
  return withSign(format.format(value));
}
