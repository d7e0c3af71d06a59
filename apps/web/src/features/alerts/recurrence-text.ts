import type { TFunction } from 'i18next';
import { recurrenceOf } from './recurrence.ts';
import { weekdayName } from './weekdays.ts';

/** How often a planned time comes again, in words. */
export function recurrenceText(t: TFunction, rule: string | null, startsAt: string): string {
  const recurrence = recurrenceOf(rule, startsAt);
  if (recurrence.kind === 'own') return recurrence.rule;
  if (recurrence.kind === 'weekly')
    return t('alerts.recur.on', { days: recurrence.days.map(weekdayName).join(', ') });
  return t(`alerts.recur.${recurrence.kind}`);
}
