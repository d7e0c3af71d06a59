import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { userZone } from '../../ui/time-range/time-zone.ts';
import { localeTag } from '../../ui/units/locale.ts';

/** How the user's language writes the day of an ISO date. */
export function useDayText(): (iso: string) => string {
  const { i18n } = useTranslation();
  const { language } = i18n;
  return useMemo(() => {
    let format: Intl.DateTimeFormat | null = null;
    return (iso: string) => {
      format ??= formatIn(language);
      return format.format(new Date(iso));
    };
  }, [language]);
}

/** The first one of a page takes longer than drawing the bar: made only where there is a day to tell. */
function formatIn(language: string): Intl.DateTimeFormat {
  const locale = localeTag().startsWith(language) ? localeTag() : language;
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: userZone() });
}
