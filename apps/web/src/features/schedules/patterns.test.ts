import { wallTime } from '@albedo/contract/time/zoned-time';
import { expect, test } from 'vitest';
import { expandPattern, type Pattern } from './patterns.ts';

const ROME = 'Europe/Rome';
const ALL_DAYS = [1, 2, 3, 4, 5, 6, 7];
const build = (more: Partial<Pattern>): Pattern => ({
  weekdays: ALL_DAYS,
  from: '11:00',
  to: '15:00',
  value: '60%',
  firstDay: '2026-06-01',
  lastDay: '2026-06-01',
  ...more,
});
const told = (more: Partial<Pattern>, zone = ROME) => {
  const { times, notes } = expandPattern(build(more), zone);
  const iso = (at: number) => new Date(at).toISOString().slice(0, 16);
  return {
    times: times.map(({ from, to }) => `${iso(from)} ${iso(to)}`),
    notes: notes.map(({ day, time, kind, at }) => `${day} ${time} ${kind} ${iso(at)}`),
  };
};

test('a pattern is at the hours of its weekdays, from the first day to the last', () => {
  const weekend = { weekdays: [6, 7], firstDay: '2026-06-01', lastDay: '2026-06-14' };
  expect(told(weekend).times).toEqual([
    '2026-06-06T09:00 2026-06-06T13:00',
    '2026-06-07T09:00 2026-06-07T13:00',
    '2026-06-13T09:00 2026-06-13T13:00',
    '2026-06-14T09:00 2026-06-14T13:00',
  ]);
});

test('the hours stay those of the clocks when these change', () => {
  const spring = { firstDay: '2026-03-28', lastDay: '2026-03-29' };
  expect(told(spring).times).toEqual([
    '2026-03-28T10:00 2026-03-28T14:00',
    '2026-03-29T09:00 2026-03-29T13:00',
  ]);
});

test('02:30 on the day that has none is 03:30, and the pattern says so', () => {
  const { times, notes } = told({
    ...{ from: '02:30', to: '05:00', firstDay: '2026-03-29', lastDay: '2026-03-29' },
  });
  expect(times).toEqual(['2026-03-29T01:30 2026-03-29T03:00']);
  expect(notes).toEqual(['2026-03-29 02:30 skipped 2026-03-29T01:30']);
});

test('of 02:30 that comes twice a start takes the first and an end the last', () => {
  const day = { firstDay: '2026-10-25', lastDay: '2026-10-25' };
  expect(told({ ...day, from: '02:30', to: '04:00' })).toEqual({
    times: ['2026-10-25T00:30 2026-10-25T03:00'],
    notes: ['2026-10-25 02:30 twice 2026-10-25T00:30'],
  });
  expect(told({ ...day, from: '01:00', to: '02:30' })).toEqual({
    times: ['2026-10-24T23:00 2026-10-25T01:30'],
    notes: ['2026-10-25 02:30 twice 2026-10-25T01:30'],
  });
});

test('an end that is not after its start is one of the next day, and whole days touch', () => {
  expect(told({ from: '22:00', to: '06:00' }).times).toEqual(['2026-06-01T20:00 2026-06-02T04:00']);
  const days = told({ from: '00:00', to: '00:00', firstDay: '2026-10-24', lastDay: '2026-10-26' });
  expect(days.times).toEqual([
    '2026-10-23T22:00 2026-10-24T22:00',
    '2026-10-24T22:00 2026-10-25T23:00',
    '2026-10-25T23:00 2026-10-26T23:00',
  ]);
});

test('a last day before the first is no time at all', () => {
  expect(told({ firstDay: '2026-06-02', lastDay: '2026-06-01' }).times).toEqual([]);
});

test('in any zone times rise, lie over one another nowhere, and begin when clocks show their start', () => {
  const zones = [
    ROME,
    'America/New_York',
    'Australia/Lord_Howe',
    'Asia/Kathmandu',
    'America/Santiago',
    'UTC',
  ];
  for (const zone of zones)
    for (const [from, to] of [
      ['00:00', '00:00'],
      ['02:30', '02:30'],
      ['01:45', '02:15'],
      ['23:30', '00:30'],
    ] as const) {
      const year = build({ from, to, firstDay: '2026-01-01', lastDay: '2026-12-31' });
      const { times, notes } = expandPattern(year, zone);
      const odd = new Set(notes.map(({ at }) => at));
      for (const [index, time] of times.entries()) {
        expect(time.to).toBeGreaterThan(time.from);
        expect(times[index + 1]?.from ?? time.to).toBeGreaterThanOrEqual(time.to);
        const { hour, minute } = wallTime(time.from, zone);
        const shown = `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
        if (!odd.has(time.from)) expect([zone, time.from, shown]).toEqual([zone, time.from, from]);
      }
    }
});
