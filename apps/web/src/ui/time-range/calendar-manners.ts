import 'dayjs/locale/de';
import 'dayjs/locale/es';
import { firstDayOfWeek, localeTag } from '../units/locale.ts';

/** What a calendar needs to be one of the user's language: names of months and days, and the day that weeks begin with. */
export const calendarManners = () => ({
  locale: localeTag().split('-')[0] ?? 'en',
  firstDayOfWeek: firstDayOfWeek(),
});
