import { expect, test } from 'vitest';
import { ofShard, readShard } from './shard.ts';

test('the parts of a run are all of it, and nothing twice', () => {
  const all = { units: ['a', 'b', 'c', 'd', 'e'], journeys: ['x'] };
  const parts = ['1/3', '2/3', '3/3'].map((text) => ofShard(all, readShard(text)));
  expect(parts.flatMap(({ units }) => units).toSorted()).toEqual(all.units);
  expect(parts.flatMap(({ journeys }) => journeys)).toEqual(['x']);
  expect(ofShard({ units: null, journeys: null }, readShard('2/3'))).toEqual({ units: null, journeys: null });
});

test.each(['0/3', '4/3', '1', '1/0', 'a/b', '-1/2'])('%s is no part of a run', (text) => {
  expect(() => readShard(text)).toThrow(text);
});
