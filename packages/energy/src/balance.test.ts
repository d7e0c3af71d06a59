import { expect, test } from 'vitest';
import { budgetIndex, energyPerformanceIndex, reconcile, spreadBudget } from './balance.ts';

test('the index is energy by expectation, and a day that lacks either leaves both', () => {
  const days = [
    { energyKwh: 90, expectedKwh: 100 },
    { energyKwh: null, expectedKwh: 100 },
    { energyKwh: 50, expectedKwh: null },
    { energyKwh: 120, expectedKwh: 100 },
  ];
  expect(energyPerformanceIndex(days)).toMatchObject({ index: { value: 1.05 }, days: 2, ofDays: 4 });
  expect(energyPerformanceIndex([{ energyKwh: 1, expectedKwh: null }]).index.reason).toBe('no_expected');
  expect(energyPerformanceIndex([{ energyKwh: null, expectedKwh: 1 }]).index.reason).toBe('no_energy');
  expect(budgetIndex([{ energyKwh: 90, budgetKwh: 100 }]).index.value).toBeCloseTo(0.9, 9);
  expect(budgetIndex([{ energyKwh: 90, budgetKwh: 0 }]).index).toEqual({ value: null, reason: 'no_budget' });
});

test('a meter two per cent under its inverters is within the band, others are flagged', () => {
  const of = (meterKwh: number | null, productionKwh: number | null) =>
    reconcile([{ meterKwh, productionKwh }]);
  const usual = of(980, 1000);
  expect(usual.deviation.value).toBeCloseTo(-20 / 980, 9);
  expect(usual).toMatchObject({ verdict: 'within', differenceKwh: -20 });
  expect(of(900, 1000).verdict).toBe('below');
  expect(of(1020, 1000).verdict).toBe('above');
  expect(of(null, 1000)).toMatchObject({ verdict: null, deviation: { value: null, reason: 'no_meter' } });
  expect(of(980, null).deviation.reason).toBe('no_energy');
  expect(of(0, 0).deviation.value).toBeNull();
});

test('the days of a budget make its month', () => {
  expect(spreadBudget(310, 31)).toEqual(Array.from({ length: 31 }, () => 10));
  const shaped = spreadBudget(300, 3, [1, 3, 2]);
  expect(shaped).toEqual([50, 150, 100]);
  expect(spreadBudget(30, 3, [0, 0, 0])).toEqual([10, 10, 10]);
});
