import { expect, test } from 'vitest';
import { recentItems, rememberItem } from './recent-items.ts';
import { indexItems, type SearchItem, searchItems } from './search-items.ts';

const device = (title: string, id = `id of ${title}`): SearchItem => ({ category: 'devices', id, title });
const titles = (items: readonly SearchItem[]) => items.map((item) => item.title);
const index = indexItems([
  device('Hilltop gateway 10'),
  device('Hilltop gateway 2'),
  device('Gateway of the harbour', '6f1c2d7e-1111'),
  device('Oldgateway'),
  { category: 'pages', id: '/devices', title: 'Devices' },
]);

test('a title that starts with the text comes first, then one with such a word, numbers in their order', () => {
  expect(titles(searchItems(index, 'Gateway', []))).toEqual([
    'Gateway of the harbour',
    'Hilltop gateway 2',
    'Hilltop gateway 10',
    'Oldgateway',
  ]);
});

test('every word has to be there, in any order', () => {
  expect(titles(searchItems(index, ' 2  hill ', []))).toEqual(['Hilltop gateway 2']);
});

test('a device is found by a part of its id, a page not by its path', () => {
  expect(titles(searchItems(index, '6F1C2D7E', []))).toEqual(['Gateway of the harbour']);
  expect(titles(searchItems(index, '/devices', []))).toEqual([]);
});

test('no category means all, one means only that', () => {
  expect(titles(searchItems(index, 'de', []))).toContain('Devices');
  expect(titles(searchItems(index, 'de', ['devices']))).not.toContain('Devices');
});

test('an empty text finds nothing', () => {
  expect(searchItems(index, '  ', [])).toEqual([]);
});

test('the last three items are kept, newest first, each once, for one person and workgroup', () => {
  for (const id of ['a', 'b', 'c', 'a', 'd']) rememberItem('zoe', 'demo', { category: 'devices', id });
  expect(recentItems('zoe', 'demo').map((item) => item.id)).toEqual(['d', 'a', 'c']);
  expect(recentItems('zoe', 'north')).toEqual([]);
  expect(recentItems('adam', 'demo')).toEqual([]);
});

test('a kept list that cannot be read counts as empty', () => {
  localStorage.setItem('albedo.recent.zoe.demo', '{');
  expect(recentItems('zoe', 'demo')).toEqual([]);
});
