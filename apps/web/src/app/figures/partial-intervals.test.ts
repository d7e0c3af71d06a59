import { expect, test } from 'vitest';
import { partialIntervals } from './partial-intervals.ts';

const DAY = 86_400_000;
const days = (...at: number[]) => at.map((day) => day * DAY);

test('the interval of the clock is not whole, wherever the range ends', () => {
  expect([...partialIntervals(days(0, 1, 2, 3), 2.4 * DAY)]).toEqual([2]);
  expect([...partialIntervals(days(0, 1, 2, 2.97), 2.97 * DAY)]).toEqual([2]);
  expect([...partialIntervals(days(0, 1, 2, 3), 9 * DAY)]).toEqual([]);
});

test('nor are the ends that the range cuts; months and days of other lengths are', () => {
  expect([...partialIntervals(days(0.5, 1, 2, 3, 3.2), 9 * DAY)]).toEqual([0, 3]);
  expect([...partialIntervals(days(0, 31, 59, 90), 99 * DAY)]).toEqual([]);
  expect([...partialIntervals(days(0, 23 / 24, 47 / 24, 71 / 24), 9 * DAY)]).toEqual([]);
});
