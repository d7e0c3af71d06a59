import type { TFunction } from 'i18next';
import { localeTag } from './units/locale.ts';

/** Names that a question tells one by one; of more people only the number. */
const TOLD = 10;

/** The names as a list in the user's language: `Ann, Bob and 3 more`. */
export function severalNames(t: TFunction, names: readonly string[]): string {
  const told = names.length > TOLD + 1 ? names.slice(0, TOLD) : names;
  const left = names.length - told.length;
  return new Intl.ListFormat(localeTag()).format(
    left > 0 ? [...told, t('table.more', { count: left })] : told,
  );
}
