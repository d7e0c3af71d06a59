import { expect, test } from 'vitest';
import { type Loss, lossesOf } from './losses.ts';

const lost = (source: string | null, energyWh: number, powerW: number | null = null, device = 'hill') => ({
  ...{ device, source },
  energy: { energyWh, powerW, money: null, basis: 'peers' as const, at: 1 },
});
const seen = (all: Loss[]) => all.map(({ energyWh, powerW }) => [energyWh, powerW]);

test('several incidents about one inverter tell of one loss', () => {
  const all = [
    lost('inv-1', 500),
    lost('inv-1', 300, 90),
    lost('inv-2', 100, 10),
    lost('inv-1', 7, 5, 'roof'),
  ];
  expect(seen(lossesOf(all))).toEqual([
    [500, 90],
    [100, 10],
    [7, 5],
  ]);
});

test('what a plant lost as a whole holds what its inverters lost, and the larger one counts', () => {
  const parts = [lost('inv-1', 500, 50), lost('inv-2', 100, 10)];
  expect(seen(lossesOf([lost(null, 900, 80), ...parts]))).toEqual([[900, 80]]);
  expect(seen(lossesOf([lost(null, 400, 80), ...parts]))).toEqual([
    [500, 50],
    [100, 10],
  ]);
  expect(lossesOf([{ device: null, source: null, energy: null }])).toEqual([]);
});
