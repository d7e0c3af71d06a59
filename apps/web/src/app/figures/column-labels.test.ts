import { expect, test } from 'vitest';
import { labelledColumns } from './column-labels.ts';

const at = (days: readonly string[], most: number) =>
  [...labelledColumns(days, most)].toSorted((a, b) => a - b);

test('hours are labelled where a day begins, days as often as there is room', () => {
  const hours = (from: number) =>
    Array.from({ length: 72 }, (_, i) => `Nov ${21 + Math.floor((from + i) / 24)}`);
  expect(at(hours(10), 12)).toEqual([0, 14, 38, 62]);
  // The rest of a day, or its beginning, is too little room for its name.
  expect(at(hours(22), 12)).toEqual([2, 26, 50]);
  expect(at(hours(2), 6)).toEqual([0, 22, 46]);
  const month = Array.from({ length: 30 }, (_, i) => `day ${i}`);
  expect(at(month, 6)).toEqual([0, 5, 10, 15, 20, 25]);
  expect(at(month.slice(0, 8), 12)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(at([], 12)).toEqual([]);
});
