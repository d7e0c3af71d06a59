import { localeTag, perLocale } from '../../ui/units/locale.ts';

const format = perLocale(() => new Intl.DateTimeFormat(localeTag(), { weekday: 'short', timeZone: 'UTC' }));

/** A Monday at noon, epoch ms. */
const MONDAY = Date.UTC(2026, 0, 5, 12);

/** The weekday in the user's language; 1 is Monday. */
export const weekdayName = (day: number): string => format().format(MONDAY + (day - 1) * 86_400_000);
