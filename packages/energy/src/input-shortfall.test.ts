import { expect, test } from 'vitest';
import { inputShortfall } from './input-shortfall.ts';

/** Two inputs face east and two west. */
const BEFORE = [10, 8, 10, 8];

test('the input that lost a string is named with the part that is missing, whatever the weather', () => {
  for (const weather of [0.4, 1, 1.5]) {
    const now = BEFORE.map((one, input) => one * weather * (input === 1 ? 2 / 3 : 1));
    expect(inputShortfall(BEFORE, now)).toEqual({ input: 1, part: expect.closeTo(1 / 3, 6) });
  }
});

test('dirt on all inputs is blamed on none, and neither are two that lack', () => {
  expect(inputShortfall(BEFORE, [7, 5.6, 7.1, 5.7])).toBeNull();
  expect(inputShortfall(BEFORE, [6, 5, 10, 8])).toBeNull();
});

test('where nothing was known before, or one input is alone, nothing is said', () => {
  expect(inputShortfall([null, 8, null, null], [10, 5, 10, 8])).toBeNull();
  expect(inputShortfall([10], [5])).toBeNull();
  expect(inputShortfall([], [10, 5, 10, 8])).toBeNull();
});
