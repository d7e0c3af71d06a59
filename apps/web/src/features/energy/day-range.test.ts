import { expect, test } from 'vitest';
import { dayRangeFromText, dayRangeToText, daysOf, movedDays } from './day-range.ts';

const THIRD = Date.parse('2026-11-03T10:00:00Z');

test('last month is all of it, on the third as on any other day', () => {
  expect(daysOf({ kind: 'preset', preset: 'last-month' }, THIRD, 'Europe/Berlin')).toEqual({
    from: '2026-10-01',
    to: '2026-10-31',
  });
});

test('days that have not begun are left out', () => {
  expect(daysOf({ kind: 'preset', preset: 'this-month' }, THIRD, 'UTC')).toEqual({
    from: '2026-11-01',
    to: '2026-11-03',
  });
});

test('the day is that of the clock', () => {
  const late = Date.parse('2026-11-03T23:30:00Z');
  expect(daysOf({ kind: 'preset', preset: 'yesterday' }, late, 'Asia/Tokyo').to).toBe('2026-11-03');
});

test('months move by months, and other days by their number', () => {
  expect(movedDays({ from: '2026-03-01', to: '2026-03-31' }, -1)).toEqual({
    from: '2026-02-01',
    to: '2026-02-28',
  });
  expect(movedDays({ from: '2026-01-01', to: '2026-12-31' }, 1)).toEqual({
    from: '2027-01-01',
    to: '2027-12-31',
  });
  expect(movedDays({ from: '2026-03-02', to: '2026-03-08' }, -1)).toEqual({
    from: '2026-02-23',
    to: '2026-03-01',
  });
});

test('what is no range of days is none', () => {
  for (const text of ['last-hour', '2026-02-30_2026-03-01', '2026-03-02_2026-03-01', '', 7])
    expect(dayRangeFromText(text)).toBeNull();
  const range = dayRangeFromText('2026-03-01_2026-03-31');
  expect(range && dayRangeToText(range)).toBe('2026-03-01_2026-03-31');
});
