import { expect, test } from 'vitest';
import { curveOf } from './curve.ts';

test('the curve has the mean of each class, and none for a class with too few pairs', () => {
  const x = [0, 0, 0, 12, 24, 24, 24];
  const curve = curveOf({ x, y: [1, 2, 3, 100, 10, 20, 30] });
  expect(curve?.y).toEqual([2, 20]);
  expect(curve?.x).toEqual([0.5, 23.5]);
});

test('pairs at one place have no curve', () => {
  expect(curveOf({ x: [5, 5, 5, 5], y: [1, 2, 3, 4] })).toBeNull();
});
