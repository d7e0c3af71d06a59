import type { BoardItem } from '@albedo/contract/boards/board-items';
import { expect, test } from 'vitest';
import type { BoardDraft } from '../boards.queries.ts';
import { changesOf, mergeBoards } from './merge.ts';

const item = (id: string, more: Partial<BoardItem> = {}): BoardItem => ({ id, kind: 'number', ...more });
const draft = (items: BoardItem[], name = 'Site'): BoardDraft => ({
  type: 'label',
  typeId: 'site',
  name,
  board: { format: 1, items },
});
const idsOf = ({ board }: BoardDraft) => board.items.map(({ id }) => id);

test('what each of two people changed is in the merged board', () => {
  const base = draft([item('a', { title: 'A', settings: { decimals: 1 } }), item('b')]);
  const yours = draft([item('a', { title: 'Mine', settings: { decimals: 1 } }), item('b'), item('new')]);
  const theirs = draft([item('a', { title: 'A', settings: { decimals: 3 } })], 'All sites');
  const { draft: merged, conflicts } = mergeBoards(base, yours, theirs);
  expect(merged.name).toBe('All sites');
  expect(merged.board.items).toEqual([item('a', { title: 'Mine', settings: { decimals: 3 } }), item('new')]);
  expect(conflicts).toEqual([]);
});

test('where both changed the same, yours counts and is named', () => {
  const base = draft([item('a', { title: 'A' })]);
  const merged = mergeBoards(
    base,
    draft([item('a', { title: 'Mine' })]),
    draft([item('a', { title: 'Hers' })]),
  );
  expect(merged.draft.board.items[0]?.title).toBe('Mine');
  expect(merged.conflicts).toEqual(['Mine']);
});

test('a widget that one deleted and the other changed stays', () => {
  const base = draft([item('a', { title: 'A' }), item('b', { title: 'B' })]);
  const yours = draft([item('b', { title: 'Changed' })]);
  const theirs = draft([item('a', { title: 'Also changed' })]);
  expect(idsOf(mergeBoards(base, yours, theirs).draft).toSorted()).toEqual(['a', 'b']);
});

test('groups are merged widget by widget', () => {
  const group = (...items: BoardItem[]) => item('g', { kind: 'group', items });
  const base = draft([group(item('a'), item('b'))]);
  const merged = mergeBoards(
    base,
    draft([group(item('a', { title: 'Mine' }), item('b'))]),
    draft([group(item('a'), item('b', { title: 'Hers' }))]),
  );
  expect(merged.draft.board.items[0]?.items?.map(({ title }) => title)).toEqual(['Mine', 'Hers']);
});

test('widgets that two people put into the same place do not stand above each other', () => {
  const at = (id: string, y: number) => item(id, { place: { x: 0, y, w: 8, h: 5 } });
  const base = draft([at('a', 0)]);
  const { draft: merged } = mergeBoards(
    base,
    draft([at('a', 0), at('my', 5)]),
    draft([at('a', 0), at('her', 5)]),
  );
  const rows = merged.board.items.map(({ id, place }) => [id, place?.y]);
  expect(new Map(rows as [string, number][])).toEqual(
    new Map([
      ['a', 0],
      ['my', 5],
      ['her', 10],
    ]),
  );
});

test('a widget that one deleted stays deleted where it only made room on the board of the other', () => {
  const at = (id: string, y: number) => item(id, { place: { x: 0, y, w: 8, h: 5 } });
  const base = draft([at('a', 0), at('b', 5)]);
  const merged = mergeBoards(base, draft([at('a', 0)]), draft([at('new', 0), at('a', 5), at('b', 10)]));
  expect(idsOf(merged.draft).toSorted()).toEqual(['a', 'new']);
});

test('what a version changed is told by widget: added, removed, changed, or only moved', () => {
  const at = (id: string, x: number, title: string) => item(id, { title, place: { x, y: 0, w: 4, h: 5 } });
  const base = draft([at('a', 0, 'A'), at('b', 4, 'B'), at('c', 8, 'C'), at('d', 12, 'D')]);
  const now = draft([at('a', 0, 'Other'), at('b', 16, 'B'), at('d', 12, 'D'), item('e')], 'All sites');
  const { isOfBoard, ...changes } = changesOf(base, now);
  const ids = Object.fromEntries(
    Object.entries(changes).map(([how, items]) => [how, items.map(({ id }) => id)]),
  );
  expect(ids).toEqual({ added: ['e'], removed: ['c'], changed: ['a'], moved: ['b'] });
  expect(isOfBoard).toBe(true);
});
