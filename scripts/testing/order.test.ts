import { expect, test } from 'vitest';
import { spread } from './order.ts';

test('what waits lies evenly between what computes, each in its own order', () => {
  expect(spread(['a', 'b'], [1, 2, 3, 4, 5, 6] as unknown as string[])).toEqual([1, 'a', 2, 3, 4, 'b', 5, 6]);
  expect(spread([], ['x', 'y'])).toEqual(['x', 'y']);
  expect(spread(['x'], [])).toEqual(['x']);
});
