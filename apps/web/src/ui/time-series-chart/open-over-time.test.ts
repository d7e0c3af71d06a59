import { expect, test } from 'vitest';
import { openOverTime } from './open-over-time.ts';

const MINUTE = 60_000;

test('a step has the most that held at once in it, with what began before and what still holds', () => {
  const held = [
    { from: -5 * MINUTE, to: 1.5 * MINUTE },
    { from: 1 * MINUTE, to: 2 * MINUTE },
    { from: 4.2 * MINUTE, to: 4.4 * MINUTE },
    { from: 4.6 * MINUTE, to: null },
  ];
  const { times, avg, stats } = openOverTime(held, { from: 0, to: 6 * MINUTE }, 100 * MINUTE);
  expect(times).toEqual([0, 1, 2, 3, 4, 5].map((minute) => minute * MINUTE));
  expect(avg).toEqual([1, 2, 0, 0, 1, 1]);
  expect(stats).toMatchObject({ max: 2, last: 1 });
});
