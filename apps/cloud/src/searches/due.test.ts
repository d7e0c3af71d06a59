import { expect, test } from 'vitest';
import { nextDue } from './due.ts';

const when = { frequency: 'daily', hour: 6, weekday: 1, monthday: 31, timezone: 'Europe/Berlin' } as const;
const next = (change: Partial<Parameters<typeof nextDue>[0]>, after: string) =>
  new Date(nextDue({ ...when, ...change }, Date.parse(after))).toISOString();

test('a time is one of the clock of its zone, on both sides of a clock change', () => {
  expect(next({}, '2026-03-28T05:00:00Z')).toBe('2026-03-29T04:00:00.000Z');
  expect(next({}, '2026-10-24T04:00:00Z')).toBe('2026-10-25T05:00:00.000Z');
  // Two o'clock does not come on that day.
  expect(next({ hour: 2 }, '2026-03-28T02:00:00Z')).toBe('2026-03-29T01:00:00.000Z');
  expect(next({ hour: 2 }, '2026-03-29T01:00:00Z')).toBe('2026-03-30T00:00:00.000Z');
  // It comes twice on this one, and counts once.
  expect(next({ hour: 2 }, '2026-10-25T00:00:00Z')).toBe('2026-10-26T01:00:00.000Z');
});

test('weeks have their weekday, and a short month its last day', () => {
  expect(next({ frequency: 'weekly' }, '2026-11-22T10:00:00Z')).toBe('2026-11-23T05:00:00.000Z');
  expect(next({ frequency: 'weekly', weekday: 7 }, '2026-11-22T10:00:00Z')).toBe('2026-11-29T05:00:00.000Z');
  expect(next({ frequency: 'monthly' }, '2028-02-01T00:00:00Z')).toBe('2028-02-29T05:00:00.000Z');
  expect(next({ frequency: 'monthly', monthday: 1 }, '2026-12-01T05:00:00Z')).toBe(
    '2027-01-01T05:00:00.000Z',
  );
});

test('an hour is a full one of the zone', () => {
  const hourly = { frequency: 'hourly', timezone: 'Asia/Kolkata' } as const;
  expect(next(hourly, '2026-11-22T10:00:00Z')).toBe('2026-11-22T10:30:00.000Z');
  expect(next(hourly, '2026-11-22T10:30:00Z')).toBe('2026-11-22T11:30:00.000Z');
});
