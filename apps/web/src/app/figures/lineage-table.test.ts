import { kpiValue } from '@albedo/contract/kpis/kpis.schema';
import { expect, test } from 'vitest';
import { shareOf } from './lineage-table.tsx';

const aggregate = (more: object = {}) =>
  kpiValue.parse({ kind: 'aggregate', streams: { role: 'energyTotal' }, operator: 'difference', ...more });

test('each stream of a sum says what it gave of it; what was left out gave nothing', () => {
  expect(shareOf({ value: 30, excluded: null }, aggregate(), 120)).toBe(25);
  expect(shareOf({ value: null, excluded: 'noData' }, aggregate(), 120)).toBeNull();
});

test('streams that were averaged, and those of a sum of nothing, have no share', () => {
  expect(shareOf({ value: 30, excluded: null }, aggregate({ aggregator: 'average' }), 120)).toBeNull();
  expect(shareOf({ value: 0, excluded: null }, aggregate(), 0)).toBeNull();
});
