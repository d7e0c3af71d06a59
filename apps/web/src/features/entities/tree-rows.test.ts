import { type Entity, NO_SIGNALS } from '@albedo/contract/entities/entities.schema';
import { expect, test } from 'vitest';
import { TreeIndex } from './tree-rows.ts';

const one = (_id: string, parent: string | null, labels: string[] = []): Entity => ({
  _id,
  name: _id.toUpperCase(),
  parent,
  labels,
  machine: null,
  children: [],
  meta: {},
  signals: NO_SIGNALS,
  settings: {},
  version: 1,
});
const entities = [one('a', null), one('a1', 'a'), one('a11', 'a1', ['x']), one('b', null), one('c', 'gone')];
const shown = (index: TreeIndex, open: string[], wanted = '') =>
  index.rows(new Set(open), wanted).map(({ entity, depth }) => `${'-'.repeat(depth)}${entity._id}`);

test('rows are those of open entities; whose parent is not visible stands at the top', () => {
  const index = new TreeIndex(entities);
  expect(shown(index, [])).toEqual(['a', 'b', 'c']);
  expect(shown(index, ['a', 'a1'])).toEqual(['a', '-a1', '--a11', 'b', 'c']);
});

test('a search shows matches by name, id and label, with everything above them', () => {
  const index = new TreeIndex(entities, new Map(), new Map([['x', 'Rooftop']]));
  expect(shown(index, [], 'a11')).toEqual(['a', '-a1', '--a11']);
  expect(shown(index, [], 'roof')).toEqual(['a', '-a1', '--a11']);
  expect(index.rows(new Set(), 'roof').map(({ isMatch }) => isMatch)).toEqual([false, false, true]);
  expect(shown(index, [], 'nothing')).toEqual([]);
});

test('moves that are not saved are drawn, and nobody moves below themselves', () => {
  const index = new TreeIndex(entities, new Map([['a1', 'b']]));
  expect(shown(index, ['a', 'b'])).toEqual(['a', 'b', '-a1', 'c']);
  expect([index.canMove('b', 'a11'), index.canMove('a', 'a11'), index.canMove('a', 'a')]).toEqual([
    false,
    true,
    false,
  ]);
  expect(index.pathOf('a11')).toBe('B › A1 › A11');
});

test('10,000 entities are filtered within 50 ms', () => {
  const many = Array.from({ length: 10_000 }, (_, i) =>
    one(`inverter-${i}`, i < 100 ? null : `inverter-${i % 100}`),
  );
  const index = new TreeIndex(many);
  index.rows(new Set(), '99');
  const from = performance.now();
  expect(index.rows(new Set(), '777').length).toBeGreaterThan(10);
  expect(performance.now() - from).toBeLessThan(50);
});
