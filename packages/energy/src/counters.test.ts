import { expect, test } from 'vitest';
import { counterIncrease } from './counters.ts';

const buckets = (...values: (number | [min: number, max: number])[]) =>
  values.map((value, at) => {
    const [min, max] = typeof value === 'number' ? [value, value] : value;
    return { at, min, max };
  });

test('a counter counts from its last value before the day', () => {
  expect(counterIncrease(buckets(90, 100, 104, 110), 2)).toBe(10);
});

test('without one it counts from the first value of the day', () => {
  expect(counterIncrease(buckets([100, 103], 110), 0)).toBe(10);
  expect(counterIncrease(buckets(100, 101), 5)).toBeNull();
  expect(counterIncrease([], 0)).toBeNull();
});

test('a counter that started over counts on from zero', () => {
  expect(counterIncrease(buckets(1000, 1010, 4, 9), 0)).toBe(19);
});

test('zeros and single slips count nothing', () => {
  expect(counterIncrease(buckets(1000, 0, 1010, [0, 1020]), 0)).toBe(20);
  expect(counterIncrease(buckets(1000, 5, 1010, 1020), 0)).toBe(20);
  expect(counterIncrease(buckets(1000, 99_999, 1010, 1020), 0)).toBe(20);
});

test('a counter that was set right by a little lost nothing and gained nothing', () => {
  expect(counterIncrease(buckets(1000, 1010, 1008, 1012), 0)).toBe(12);
  expect(counterIncrease(buckets(1000, 1010, 980, 985, 990, 995), 0)).toBe(25);
});
