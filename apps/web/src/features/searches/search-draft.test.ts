import { savedSearch } from '@albedo/contract/searches/searches.schema';
import { expect, test } from 'vitest';
import {
  fromSaved,
  isChanged,
  NO_DRAFT,
  readDraft,
  type SearchDraft,
  toNewSearch,
  writeDraft,
} from './search-draft.ts';

const DRAFT: SearchDraft = {
  table: 'solar',
  time: { range: { kind: 'relative', amount: 90, unit: 'm' }, zone: 'Europe/Rome', isRefreshing: true },
  dateField: 'Read at',
  filters: [
    { field: 'State', operator: 'IN', value: ['Fault', 'a, b'] },
    { operator: 'OR', filters: [{ field: 'Power', operator: '>', value: 5 }] },
  ],
  filterOperator: 'OR',
  sort: 'Power',
  fields: ['Power', 'State'],
  charts: { enabled: true, fields: ['Power'] },
  analysis: { enabled: true, field: 'Power', interval: 'hour', type: 'max', isPerDevice: true },
  csv: { enabled: true, fields: ['State'], style: null },
  tab: 'csv',
};

test('an address holds the whole search, and nothing of what is as usual', () => {
  expect(readDraft(JSON.parse(JSON.stringify(writeDraft(DRAFT))))).toEqual(DRAFT);
  expect(JSON.stringify(writeDraft({ ...NO_DRAFT, table: 'data' }))).toBe('{"table":"data"}');
});

test('a kept search is what was saved, but for the tab and the live view', () => {
  const kept = {
    ...toNewSearch(DRAFT, 'Faults'),
    _id: crypto.randomUUID(),
    version: 1,
    shareable: true,
    schedulable: true,
  };
  const saved = savedSearch.parse(JSON.parse(JSON.stringify(kept)));
  const time = { ...DRAFT.time, isRefreshing: false };
  expect(fromSaved(saved)).toEqual({ ...DRAFT, time, tab: 'table' });
  expect(isChanged(DRAFT, saved)).toBe(false);
  expect(isChanged({ ...DRAFT, filterOperator: 'AND' }, saved)).toBe(true);
});

test('nonsense in an address falls back to what is usual', () => {
  const nonsense = {
    table: 7,
    range: 'never',
    f: ['x', 1, null, {}],
    tab: 'x',
    sort: null,
    cols: 'Power',
    fn: 'x',
  };
  expect(readDraft(nonsense)).toEqual({ ...NO_DRAFT, table: '7', fields: ['Power'] });
});
