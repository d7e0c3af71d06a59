import type { Place } from '@albedo/contract/boards/board-items';
import { expect, test } from 'vitest';
import { fitTo, placesOf, rowsOf, tracksOf, widthOf } from './layout.ts';

const tiles = new Map<string, Place>([
  ['a', { x: 0, y: 0, w: 4, h: 4 }],
  ['b', { x: 4, y: 0, w: 4, h: 4 }],
  ['c', { x: 8, y: 0, w: 4, h: 4 }],
  ['d', { x: 12, y: 0, w: 4, h: 4 }],
  ['chart', { x: 0, y: 4, w: 16, h: 9 }],
]);

const overlap = (a: Place, b: Place) =>
  a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;

test.each(['middle', 'narrow'] as const)(
  'on a %s screen nothing overlaps, and rows have no holes',
  (width) => {
    const all = [...fitTo(width, tiles).values()];
    for (const [at, one] of all.entries())
      for (const other of all.slice(at + 1)) expect(overlap(one, other)).toBe(false);
    const rows = Map.groupBy(all, ({ y }) => y);
    for (const row of rows.values()) expect(row.reduce((sum, { w }) => sum + w, 0)).toBe(24);
  },
);

test('figures stand in pairs on a telephone, charts alone', () => {
  const fitted = fitTo('narrow', tiles);
  expect(fitted.get('a')).toMatchObject({ x: 0, w: 12 });
  expect(fitted.get('b')).toMatchObject({ x: 12, w: 12, y: 0 });
  expect(fitted.get('chart')).toMatchObject({ w: 24 });
});

test('widgets without a place come below the others, row by row', () => {
  const items = ['new', 'newer', 'newest'].map((id) => ({ id, kind: 'text' }));
  const first = { id: 'a', kind: 'text', place: { x: 0, y: 0, w: 8, h: 5 } };
  const places = placesOf([first, ...items], () => ({ w: 10, h: 3 }));
  expect(items.map(({ id }) => places.get(id))).toEqual([
    { x: 0, y: 5, w: 10, h: 3 },
    { x: 10, y: 5, w: 10, h: 3 },
    { x: 0, y: 8, w: 10, h: 3 },
  ]);
});

test('a screen is wide, middle, small or narrow by its width', () => {
  expect([1200, 780, 460, 360].map(widthOf)).toEqual(['wide', 'middle', 'small', 'narrow']);
});

test('halves of a group stay beside each other in a third of a wide screen, and not on a telephone', () => {
  const halves = new Map([
    ['power', { x: 0, y: 0, w: 12, h: 4 }],
    ['energy', { x: 12, y: 0, w: 12, h: 4 }],
    ['flow', { x: 0, y: 4, w: 24, h: 9 }],
  ]);
  const rows = (width: 'small' | 'narrow') => [...fitTo(width, halves).values()].map(({ y }) => y);
  expect([rows('small'), rows('narrow')]).toEqual([
    [0, 0, 4],
    [0, 4, 8],
  ]);
});

test.each(['wide', 'middle', 'small', 'narrow'] as const)(
  'on a %s screen every widget begins and ends at a track, and the space between tracks leaves room for them',
  (width) => {
    const { count, each } = tracksOf(width);
    for (const { x, w } of fitTo(width, tiles).values())
      expect([x % each, w % each], `${x} ${w}`).toEqual([0, 0]);
    expect(count * each).toBe(24);
    // A copy in three columns of half a screen has 180 px or so.
    if (width === 'narrow') expect((count - 1) * 10).toBeLessThan(60);
  },
);

test('rows that only groups stand in have no least height; empty ones, and those beside other widgets, keep theirs', () => {
  const item = (id: string, kind: string) => ({ id, kind });
  const places = new Map([
    ['figure', { x: 0, y: 0, w: 12, h: 2 }],
    ['beside', { x: 12, y: 1, w: 12, h: 2 }],
    ['below', { x: 0, y: 4, w: 24, h: 1 }],
  ]);
  const items = [item('beside', 'group'), item('figure', 'number'), item('below', 'group')];
  const [kept, free] = ['minmax(32px, auto)', 'minmax(0, auto)'];
  expect(rowsOf(items, places)).toBe([kept, kept, free, kept, free].join(' '));
});
