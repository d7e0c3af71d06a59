import { expect, test } from 'vitest';
import { changedParts, mergeContent } from './merge-content.ts';

const base = { name: 'Yield', description: '', values: { a: { unit: 'kW' }, b: 1 }, list: [1] };

test('what only one of two changed is taken from them, also of parts with names', () => {
  const yours = { ...base, name: 'Mine', values: { ...base.values, b: 2 } };
  const theirs = { ...base, description: 'Theirs', values: { a: { unit: 'W' }, b: 1, c: 3 } };
  expect(mergeContent(base, yours, theirs)).toEqual({
    merged: { name: 'Mine', description: 'Theirs', values: { a: { unit: 'W' }, b: 2, c: 3 }, list: [1] },
    both: [],
  });
});

test('where both changed the same, yours counts and is named; what one took away is gone', () => {
  const yours = { ...base, list: [1, 2], values: { a: { unit: 'MW' } } };
  const theirs = { ...base, list: [3], values: { a: { unit: 'W' }, b: 1 } };
  const { merged, both } = mergeContent<object>(base, yours, theirs);
  expect(merged).toEqual({ ...base, list: [1, 2], values: { a: { unit: 'MW' } } });
  expect(both.toSorted()).toEqual(['list', 'values › a › unit']);
});

test('the order of keys is no change', () => {
  expect(changedParts({ a: { x: 1, y: 2 } }, { a: { y: 2, x: 1 } })).toEqual([]);
});
