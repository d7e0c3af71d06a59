import type { BoardItem } from '@albedo/contract/boards/boards.schema';
import { expect, test } from 'vitest';
import type { BoardDraft } from '../boards.queries.ts';
import { mergeBoards } from './merge.ts';

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
