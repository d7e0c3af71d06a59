import type { EnergyDay } from '@albedo/contract/energy/energy.schema';
import { expect, test } from 'vitest';
import { everyDay, totalsByRow } from './day-totals.ts';

const day = (source: string, energyKWh: number, rest: Partial<EnergyDay> = {}): EnergyDay => ({
  day: '2026-10-03',
  deviceId: 'a',
  table: 'solar',
  source,
  method: 'totalEnergy',
  energyKWh,
  samples: 288,
  coverage: 1,
  firstTime: 0,
  lastTime: 0,
  expectedKWh: 100,
  marks: [],
  review: null,
  ...rest,
});
const review = (decision: 'override' | 'exclude', energyKWh: number | null) => ({
  decision,
  energyKWh,
  reason: 'Grid outage',
  by: 'zoe@example.org',
  at: 0,
});
const NAMES = new Map([['a', 'Hilltop']]);

test('the sources of a device make its days, and what was decided of one counts', () => {
  const days = [day('inv-01', 90), day('inv-02', 80, { review: review('override', 95) })];
  const [row] = totalsByRow(days, 'device', NAMES);
  expect(row).toMatchObject({ scope: 'device:a', name: 'Hilltop' });
  expect(row?.days.get('2026-10-03')).toMatchObject({ energyKWh: 185, expectedKWh: 200, isReviewed: true });
});

test('a day that was left out counts neither as produced nor as expected', () => {
  const days = [day('inv-01', 90), day('inv-02', 80, { review: review('exclude', null) })];
  const [row] = totalsByRow(days, 'device', NAMES);
  expect(row?.days.get('2026-10-03')).toMatchObject({ energyKWh: 90, expectedKWh: 100 });
});

test('one source without an estimate leaves the day without one', () => {
  const [row] = totalsByRow([day('inv-01', 90), day('inv-02', 80, { expectedKWh: null })], 'device', NAMES);
  expect(row?.days.get('2026-10-03')?.expectedKWh).toBeNull();
});

test('a source of any name leads to its scope', () => {
  const [row] = totalsByRow([day('roof/east 1', 90)], 'source', NAMES);
  expect(row?.scope).toBe('source:a/solar/roof%2Feast%201');
});

test('every day is there once', () => {
  expect(everyDay('2026-02-27', '2026-03-02')).toEqual([
    '2026-02-27',
    '2026-02-28',
    '2026-03-01',
    '2026-03-02',
  ]);
});
