import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { userZone } from '../../ui/time-range/time-zone.ts';
import { localeTag } from '../../ui/units/locale.ts';

/** How the user's language writes the day of an ISO date. */
export function useDayText(): (iso: string) => string {
  const { i18n } = useTranslation();
  const { language } = i18n;
  return useMemo(() => {
    const locale = localeTag().startsWith(language) ? localeTag() : language;
    const format = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: userZone() });
    return (iso: string) => format.format(new Date(iso));
  }, [language]);
}
