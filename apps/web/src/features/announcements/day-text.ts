import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';

/** How the user's language writes the day of an ISO date. */
export function useDayText(): (iso: string) => string {
  const { i18n } = useTranslation();
  return useCallback(
    (iso) => new Intl.DateTimeFormat(i18n.language, { dateStyle: 'long' }).format(new Date(iso)),
    [i18n.language],
  );
}
