import type { PlantSummary } from '@albedo/contract/plants/plants.schema';
import { expect, test } from 'vitest';
import { plantGlance } from './plant-glance.ts';

const reading = { value: 4000, at: 1, missing: null };
const PLANT = {
  device: '5f0c8a8e-4b7f-4f7e-9f0b-0e9d6a6d1c11',
  name: 'Hill',
  zone: 'UTC',
  power: reading,
  poa: { ...reading, value: 600 },
  ratedPowerW: 30_000,
  inverters: { producing: 3, troubled: 0 },
  findings: [],
} as unknown as PlantSummary;

test('days that nobody counts are not on their way: there is nothing to hold the plant against', () => {
  const facts = { days: [], incidents: [] };
  expect(plantGlance(PLANT, { ...facts, areCounted: true }).state).toBe('arriving');
  expect(plantGlance(PLANT, { ...facts, areCounted: false }).state).toBe('unknown');
});
