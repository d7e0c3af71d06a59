import { expect, test } from 'vitest';
import { type Recurrence, recurrenceOf, ruleOf, weekdayOf } from './recurrence.ts';

const STARTS = '2026-04-04T08:00';

test.each<[Recurrence, string | null]>([
  [{ kind: 'once' }, null],
  [{ kind: 'daily' }, 'FREQ=DAILY'],
  [{ kind: 'weekly', days: [1, 6] }, 'FREQ=WEEKLY;BYDAY=MO,SA'],
  [{ kind: 'monthly' }, 'FREQ=MONTHLY;BYMONTHDAY=4'],
  [{ kind: 'own', rule: 'FREQ=MONTHLY;BYDAY=2MO' }, 'FREQ=MONTHLY;BYDAY=2MO'],
])('%j is written as %s and read again', (recurrence, rule) => {
  expect(ruleOf(recurrence, STARTS)).toBe(rule);
  expect(recurrenceOf(rule, STARTS)).toEqual(recurrence);
});

test('a rule with more than the choices offer stays as it was written', () => {
  const rule = 'FREQ=DAILY;COUNT=5';
  expect(recurrenceOf(rule, STARTS)).toEqual({ kind: 'own', rule });
  // On another day than the first time.
  const other = 'FREQ=MONTHLY;BYMONTHDAY=20';
  expect(recurrenceOf(other, STARTS)).toEqual({ kind: 'own', rule: other });
});

test('a date has its weekday', () => {
  expect([STARTS, '2026-04-05T00:00', '2026-04-06T23:59'].map(weekdayOf)).toEqual([6, 7, 1]);
});
