import { expect, test } from 'vitest';
import { inputShortfall } from './input-shortfall.ts';

const WELL = [10, 9.8, 10.1, 10];

test('the input that lost a string is named with the part that is missing', () => {
  expect(inputShortfall([WELL, [10, 6.6, 10.1, 10], WELL], 1)).toEqual({
    input: 1,
    part: expect.closeTo(1 / 3, 1),
  });
});

test('dirt on all inputs is blamed on none, and neither are two that lack', () => {
  expect(inputShortfall([WELL, WELL.map((one) => one * 0.7), WELL], 1)).toBeNull();
  expect(inputShortfall([WELL, [6, 6, 10, 10], WELL], 1)).toBeNull();
});

test('a plant whose inverters all have dirt still shows which input lacks', () => {
  expect(inputShortfall([WELL, [8, 7.9, 4, 8], WELL], 1)).toMatchObject({
    input: 2,
    part: expect.closeTo(0.5, 1),
  });
});

test('without two peers, or with one input alone, nothing is said', () => {
  expect(inputShortfall([WELL, [10, 5, 10, 10]], 1)).toBeNull();
  expect(inputShortfall([[10], [5], [10]], 1)).toBeNull();
  expect(inputShortfall([WELL, [10, null, 10, 10], WELL], 1)).toBeNull();
});
