import { expect, test } from 'vitest';
import { labelChangesOf, withChanges } from './label-changes.ts';

const SAVED = [
  { _id: 'hill', labels: ['site', 'own'] },
  { _id: 'yard', labels: ['site'] },
];

test('only entities that would have other labels change, and a comma in a label is a part of it', () => {
  const set = new Map([['own', true]]);
  expect([...labelChangesOf(SAVED, set)]).toEqual([['yard', ['site', 'own']]]);
  const comma = [{ _id: 'hill', labels: ['a', 'b'] }];
  const joined = new Map([...['a', 'b'].map((id) => [id, false] as const), ['a,b', true] as const]);
  expect([...labelChangesOf(comma, joined)]).toEqual([['hill', ['a,b']]]);
});

test('a label that is taken off and set again leaves nothing to save, wherever it stood', () => {
  const off = withChanges(new Map(), labelChangesOf(SAVED, new Map([['site', false]])), SAVED);
  expect([...off]).toEqual([
    ['hill', ['own']],
    ['yard', []],
  ]);
  const drafted = SAVED.map(({ _id, labels }) => ({ _id, labels: [...(off.get(_id) ?? labels)] }));
  const on = labelChangesOf(drafted, new Map([['site', true]]));
  expect([...withChanges(off, on, SAVED)]).toEqual([]);
});
