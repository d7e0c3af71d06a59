import { expect, test } from 'vitest';
import { segmentsOf } from './segments.ts';

test('equal states beside each other are one, and a long gap is none', () => {
  const times = [0, 1, 3, 4, 9].map((one) => one * 60_000);
  const values = ['MPPT', 'MPPT', 'MPPT', 'Fault', 'Fault'];
  expect(segmentsOf({ times, values, stepMs: 60_000 })).toEqual([
    { from: 0, to: 240_000, value: 'MPPT' },
    { from: 240_000, to: 300_000, value: 'Fault' },
    { from: 540_000, to: 600_000, value: 'Fault' },
  ]);
});

test('nothing measured is no segment', () => {
  expect(segmentsOf({ times: [], values: [], stepMs: 1 })).toEqual([]);
});
