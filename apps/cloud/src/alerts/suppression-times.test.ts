import { expect, test } from 'vitest';
import { isRepetition, occurrenceAt } from './suppression-times.ts';

const times = (of: Partial<Parameters<typeof occurrenceAt>[0]>) => ({
  zone: 'Europe/Rome',
  startsAt: '2026-01-03T08:00',
  durationMinutes: 60,
  rrule: 'FREQ=WEEKLY;BYDAY=SA',
  ...of,
});
const at = (iso: string) => Date.parse(iso);
/** Beginnings between two instants. */
function beginnings(of: ReturnType<typeof times>, from: string, to: string): string[] {
  const all: string[] = [];
  let next = occurrenceAt(of, at(from)).nextAt;
  while (next !== null && next < at(to)) {
    all.push(new Date(next).toISOString());
    next = occurrenceAt(of, next).nextAt;
  }
  return all;
}

test('it holds from its beginning to its end by the clock of the zone, in summer as in winter', () => {
  const weekly = times({});
  expect(occurrenceAt(weekly, at('2026-01-10T07:00:00Z')).isActive).toBe(true);
  expect(occurrenceAt(weekly, at('2026-01-10T08:00:00Z')).isActive).toBe(false);
  expect(occurrenceAt(weekly, at('2026-07-11T06:30:00Z')).isActive).toBe(true);
  expect(occurrenceAt(weekly, at('2026-07-12T06:30:00Z')).isActive).toBe(false);
});

test('a local time that does not exist moves to after the gap, and one that exists twice comes once', () => {
  const daily = times({ startsAt: '2026-03-01T02:30', rrule: 'FREQ=DAILY' });
  expect(beginnings(daily, '2026-03-27T12:00:00Z', '2026-03-31T00:00:00Z')).toEqual([
    '2026-03-28T01:30:00.000Z',
    '2026-03-29T01:30:00.000Z',
    '2026-03-30T00:30:00.000Z',
  ]);
  expect(beginnings(daily, '2026-10-24T12:00:00Z', '2026-10-27T00:00:00Z')).toEqual([
    '2026-10-25T00:30:00.000Z',
    '2026-10-26T01:30:00.000Z',
  ]);
});

test('without a repetition it comes once; out of service it has no end', () => {
  const once = times({ rrule: null });
  expect(occurrenceAt(once, at('2026-01-01T00:00:00Z'))).toEqual({
    isActive: false,
    nextAt: at('2026-01-03T07:00:00Z'),
  });
  expect(occurrenceAt(once, at('2026-01-03T07:30:00Z'))).toEqual({ isActive: true, nextAt: null });
  const forGood = times({ rrule: null, durationMinutes: null });
  expect(occurrenceAt(forGood, at('2030-01-01T00:00:00Z')).isActive).toBe(true);
});

test('an end in UTC beside a zone is the last time that it comes', () => {
  const until = times({ rrule: 'FREQ=WEEKLY;BYDAY=SA;UNTIL=20260404T060000Z' });
  expect(beginnings(until, '2026-03-22T00:00:00Z', '2026-05-01T00:00:00Z')).toEqual([
    '2026-03-28T07:00:00.000Z',
    '2026-04-04T06:00:00.000Z',
  ]);
});

test('a day that does not exist is refused, and what repeats too often to be planned', () => {
  expect(isRepetition(times({ rrule: null, startsAt: '2026-02-31T25:61' }))).toBe(false);
  const of = (rrule: string) => isRepetition(times({ rrule }));
  expect(
    ['FREQ=SECONDLY', 'FREQ=MINUTELY;INTERVAL=5', 'FREQ=DAILY;COUNT=50000', 'FREQ=DAILY;BYSECOND=0,1'].map(
      of,
    ),
  ).toEqual([false, false, false, false]);
});

test('what is no repetition, or never comes, is refused', () => {
  const of = (rrule: string) => isRepetition(times({ rrule }));
  expect(['FREQ=WEEKLY;BYDAY=SA', 'FREQ=MONTHLY;BYMONTHDAY=1', 'FREQ=DAILY;COUNT=3'].map(of)).toEqual([
    true,
    true,
    true,
  ]);
  expect(['weekly', 'FREQ=SOMETIMES', 'DTSTART:20200101T000000Z\nRRULE:FREQ=DAILY'].map(of)).toEqual([
    false,
    false,
    false,
  ]);
});
