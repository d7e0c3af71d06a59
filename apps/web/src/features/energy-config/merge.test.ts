import { expect, test } from 'vitest';
import { mergeContent } from '../../app/versions/merge-content.ts';
import { changesOf } from './merge.ts';

const merged = <T extends object>(base: T, yours: T, theirs: T): T =>
  mergeContent(base, yours, theirs).merged;

const base = { basis: 'ac', roles: { peakPower: 1, ratedPower: 2 }, list: [1] };

test('what only one changed is taken from them, also within a part', () => {
  const yours = { ...base, roles: { ...base.roles, peakPower: 9 } };
  const theirs = { ...base, basis: 'dc', roles: { ...base.roles, ratedPower: 8 } };
  expect(merged(base, yours, theirs)).toEqual({
    basis: 'dc',
    roles: { peakPower: 9, ratedPower: 8 },
    list: [1],
  });
});

test('where both changed the same, yours counts', () => {
  expect(merged(base, { ...base, list: [1, 2] }, { ...base, list: [3] }).list).toEqual([1, 2]);
});

test('what one took away is gone', () => {
  const { peakPower: _, ...roles } = base.roles;
  expect(merged<object>(base, { ...base, roles }, base)).toEqual({ ...base, roles });
  expect(merged<object>(base, base, { ...base, roles })).toEqual({ ...base, roles });
});

test('changes are told by their place', () => {
  expect(changesOf(base, { ...base, roles: { peakPower: 1 }, list: [1, 2] })).toEqual([
    { type: 'REMOVE', path: ['roles', 'ratedPower'], old: 2, now: undefined },
    { type: 'CHANGE', path: ['list'], old: '[1]', now: '[2]' },
  ]);
});
