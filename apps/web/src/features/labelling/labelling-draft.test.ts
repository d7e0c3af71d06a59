import type { LabelledSource } from '@albedo/contract/labelling/labelling.schema';
import { expect, test } from 'vitest';
import {
  changedSources,
  countOf,
  type Draft,
  EMPTY,
  keyOf,
  labelsAfter,
  matching,
  mayStandBelow,
  rowsOf,
  sourceAfter,
  stepIn,
  stepOut,
  withLabel,
  withSource,
} from './labelling-draft.ts';

const pv = { id: 'pv', name: 'PV', color: '' };
const grid = { id: 'grid', name: 'Grid', color: '' };
const one: LabelledSource = { device: 'a', source: 'one', labels: ['pv'], parent: null };
const kept = new Map([[keyOf(one), one]]);

test('what is drafted and taken back again has nothing to save', () => {
  const two = { device: 'a', source: 'two' };
  const on = withLabel(kept, EMPTY, [one, two], { label: 'grid', isOn: true });
  expect(changedSources(kept, on).map(({ source, labels }) => [source, labels])).toEqual([
    ['one', ['pv', 'grid']],
    ['two', ['grid']],
  ]);
  const off = withLabel(kept, on, [one, two], { label: 'grid', isOn: false });
  expect(countOf(kept, [pv], off)).toBe(0);
});

test('a label that is taken away goes from all sources, and stays on none that others label meanwhile', () => {
  const draft: Draft = { ...EMPTY, labels: new Map([['pv', null]]) };
  expect(labelsAfter([pv, grid], draft)).toEqual([grid]);
  expect(sourceAfter(kept, draft, one).labels).toEqual([]);
  expect(changedSources(kept, draft)).toEqual([{ device: 'a', source: 'one', labels: [], parent: null }]);
  const meanwhile = new Map(kept).set('a\nnew', { ...one, source: 'new' });
  expect(changedSources(meanwhile, draft).map(({ source }) => source)).toEqual(['one', 'new']);
});

test('sources stand below others, step by step, and never below themselves', () => {
  const sources = ['station', 'inverter 10', 'inverter 2'];
  let draft = EMPTY;
  const rows = () => rowsOf('a', sources, (of) => sourceAfter(kept, draft, of));
  expect(rows().map(({ source }) => source)).toEqual(['inverter 2', 'inverter 10', 'station']);
  expect(stepIn(rows(), 'inverter 2')).toBeNull();
  for (const source of ['inverter 2', 'inverter 10'])
    draft = withSource(kept, draft, { device: 'a', source }, { parent: 'station' });
  expect(rows().map(({ source, depth }) => [source, depth])).toEqual([
    ['station', 0],
    ['inverter 2', 1],
    ['inverter 10', 1],
  ]);
  expect(stepIn(rows(), 'inverter 10')).toBe('inverter 2');
  expect([stepOut(rows(), 'inverter 10'), stepOut(rows(), 'station')]).toEqual([null, undefined]);
  expect(mayStandBelow(rows(), 'station', 'inverter 2')).toBe(false);
  expect(mayStandBelow(rows(), 'inverter 2', 'inverter 10')).toBe(true);
});

test('patterns find sources by the names of their device and their own', () => {
  const all = [
    { device: 'a', name: 'Hill North', source: 'inverter/1' },
    { device: 'b', name: 'Dale', source: 'inverter/1' },
    { device: 'a', name: 'Hill North', source: 'meter' },
  ];
  expect(matching(all, { device: 'hill*', source: 'inv*' })).toEqual([all[0]]);
  expect(matching(all, { device: '', source: '' })).toHaveLength(3);
});
