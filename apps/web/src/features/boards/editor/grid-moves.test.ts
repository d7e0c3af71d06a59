import { expect, test } from 'vitest';
import { compacted, moved } from './grid-moves.ts';

const places = new Map([
  ['a', { x: 0, y: 0, w: 6, h: 4 }],
  ['b', { x: 6, y: 0, w: 6, h: 4 }],
  ['c', { x: 0, y: 4, w: 12, h: 6 }],
]);

test('a widget moves by columns, and others make room for it', () => {
  const after = moved(places, 'a', { x: 6 });
  expect(after.get('a')).toMatchObject({ x: 6, y: 0 });
  expect(after.get('b')?.y).toBeGreaterThanOrEqual(4);
});

test('nothing leaves the grid or becomes too small to see', () => {
  expect(moved(places, 'a', { x: -5 }).get('a')).toMatchObject({ x: 0 });
  expect(moved(places, 'c', { w: 40 }).get('c')).toMatchObject({ x: 0, w: 24 });
  expect(moved(places, 'a', { w: -40, h: -40 }).get('a')).toMatchObject({ w: 2, h: 2 });
});

test('down goes past the widget below', () => {
  const after = moved(places, 'a', { y: 1 });
  expect(after.get('c')?.y).toBeLessThan(after.get('a')?.y ?? 0);
});

test('where a widget goes the ones below move up, as the grid of the editor shows them', () => {
  const items = [...places].map(([id, place]) => ({ id, kind: 'number', place }));
  const after = compacted(items.filter(({ id }) => id !== 'a' && id !== 'b'));
  expect(after.map(({ id, place }) => [id, place?.y])).toEqual([['c', 0]]);
});
