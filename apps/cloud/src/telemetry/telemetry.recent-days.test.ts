import { expect, test } from 'vitest';
import type { KeptDays } from './telemetry.days.ts';
import { RecentDays } from './telemetry.recent-days.ts';

const kept = (megabytes: number): KeptDays => ({
  ...{ from: 0, days: 1, rows: new Int32Array(1), made: new Uint32Array(1) },
  columns: { n: new Float64Array(megabytes * 125_000) },
});

test('days in memory answer the same question while the parts they came from are the same', () => {
  const recent = new RecentDays();
  const days = kept(1);
  recent.hold('a year', 'part1 part2', days);
  expect(recent.find('a year', 'part1 part2')).toBe(days);
  expect(recent.find('a month', 'part1 part2')).toBeNull();
  expect(recent.find('a year', 'part1 part3')).toBeNull();
  expect(recent.find('a year', 'part1 part2')).toBeNull();
});

test('what nobody asked for the longest time goes first, and what is too large for memory is not held', () => {
  const recent = new RecentDays();
  recent.hold('first', 'p', kept(30));
  recent.hold('second', 'p', kept(30));
  recent.find('first', 'p');
  recent.hold('third', 'p', kept(30));
  expect(['first', 'second', 'third'].map((one) => recent.find(one, 'p') !== null)).toEqual([
    true,
    false,
    true,
  ]);
  recent.hold('huge', 'p', kept(70));
  expect(recent.find('huge', 'p')).toBeNull();
});
