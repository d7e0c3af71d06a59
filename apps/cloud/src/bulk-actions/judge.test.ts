import { bulkGates } from '@albedo/contract/bulk-actions/bulk-actions.schema';
import { expect, test } from 'vitest';
import { judge, type Measured } from './judge.ts';

const gates = bulkGates.parse({});
const device = (change: Partial<Measured> = {}): Measured => ({
  crashes: 0,
  wasFresh: true,
  isFresh: true,
  beforeW: 1000,
  afterW: 1000,
  ...change,
});
const many = (count: number, change: Partial<Measured> = {}) =>
  Array.from({ length: count }, () => device(change));

test('what gets worse on the touched devices alone is told, with the figures', () => {
  expect(judge(many(5), many(20), gates)).toBeNull();
  expect(judge([...many(4), device({ crashes: 4 })], many(20), gates)).toEqual({
    gate: 'crashes',
    touched: 0.8,
    rest: 0,
    limit: 0.5,
  });
  expect(judge([...many(3), ...many(1, { isFresh: false })], many(20), gates)).toMatchObject({
    gate: 'stale',
    touched: 25,
  });
  expect(judge(many(5, { afterW: 850 }), many(20), gates)).toEqual({
    gate: 'energy',
    touched: 85,
    rest: 100,
    limit: 10,
  });
});

test('what gets worse everywhere is not the fault of the change', () => {
  const bad = { crashes: 3, isFresh: false };
  expect(judge(many(5, bad), many(20, bad), gates)).toBeNull();
  // The sun sets on all.
  expect(judge(many(5, { afterW: 300 }), many(20, { afterW: 300 }), gates)).toBeNull();
});

test('devices that were silent or dark before say nothing, and a gate that is off is not asked', () => {
  expect(judge(many(5, { wasFresh: false, isFresh: false }), many(5), gates)).toBeNull();
  expect(judge(many(5, { beforeW: 3, afterW: 0 }), many(5), gates)).toBeNull();
  expect(judge(many(5, { beforeW: null, afterW: null }), many(5), gates)).toBeNull();
  const off = { failedPercent: null, crashes: null, stalePercent: null, energyPercent: null };
  expect(judge(many(5, { crashes: 9, isFresh: false, afterW: 0 }), many(5), off)).toBeNull();
  expect(judge([], many(5), gates)).toBeNull();
  // Nobody is left to compare with.
  expect(judge(many(5, { crashes: 1 }), [], gates)).toMatchObject({ gate: 'crashes' });
  expect(judge(many(5, { afterW: 0 }), [], gates)).toBeNull();
});
