/** How often a planned time comes again, as people choose it. */
export const RECURRENCES = ['once', 'daily', 'weekly', 'monthly', 'own'] as const;
export type Recurrence =
  | { kind: 'once' | 'daily' | 'monthly' }
  /** Days of the week; 1 is Monday. */
  | { kind: 'weekly'; days: readonly number[] }
  /** As RFC 5545 writes it. */
  | { kind: 'own'; rule: string };

const DAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const;

/** The rule of RFC 5545; null for once. Monthly is on the day of the first time. */
export function ruleOf(recurrence: Recurrence, startsAt: string): string | null {
  switch (recurrence.kind) {
    case 'once':
      return null;
    case 'daily':
      return 'FREQ=DAILY';
    case 'weekly':
      return `FREQ=WEEKLY;BYDAY=${recurrence.days.map((day) => DAYS[day - 1]).join(',')}`;
    case 'monthly':
      return `FREQ=MONTHLY;BYMONTHDAY=${Number(startsAt.slice(8, 10)) || 1}`;
    default:
      return recurrence.rule.trim() || null;
  }
}

/** A kept rule as it can be chosen; one that nothing here writes is one's own. */
export function recurrenceOf(rule: string | null, startsAt: string): Recurrence {
  if (rule === null) return { kind: 'once' };
  const plain = rule.toUpperCase().replace(/\s/g, '');
  for (const kind of ['daily', 'monthly'] as const) if (plain === ruleOf({ kind }, startsAt)) return { kind };
  const [, days] =
    /^FREQ=WEEKLY;BYDAY=((?:MO|TU|WE|TH|FR|SA|SU)(?:,(?:MO|TU|WE|TH|FR|SA|SU))*)$/.exec(plain) ?? [];
  if (days !== undefined)
    return {
      kind: 'weekly',
      days: days.split(',').map((day) => (DAYS as readonly string[]).indexOf(day) + 1),
    };
  return { kind: 'own', rule };
}

/** The weekday of a date such as `2026-04-04T08:00`; 1 is Monday. */
export function weekdayOf(startsAt: string): number {
  const [year = 2026, month = 1, day = 1] = startsAt.slice(0, 10).split('-').map(Number);
  return new Date(Date.UTC(year, month - 1, day)).getUTCDay() || 7;
}
