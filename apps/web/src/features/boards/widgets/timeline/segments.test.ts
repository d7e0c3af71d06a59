import { expect, test } from 'vitest';
import { segmentsOf } from './segments.ts';

test('equal states beside each other are one, and a long gap is none', () => {
  const times = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((one) => one * 60_000);
  const avg = [4, 4, null, 4, 7, null, null, null, null, 7];
  expect(segmentsOf({ times, avg, stepMs: 60_000 })).toEqual([
    { from: 0, to: 240_000, value: 4 },
    { from: 240_000, to: 300_000, value: 7 },
    { from: 540_000, to: 600_000, value: 7 },
  ]);
});

test('nothing measured is no segment', () => {
  expect(segmentsOf({ times: [0, 1], avg: [null, null], stepMs: 1 })).toEqual([]);
});
