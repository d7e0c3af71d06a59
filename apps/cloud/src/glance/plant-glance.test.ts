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

test('a ratio stands beside what it is made of, and a day with too little light for one has neither', () => {
  const known = {
    energyKWh: 100,
    expectedKWh: 120,
    ratio: 0.5,
    reason: null,
    counted: 3,
    all: 3,
    computedAt: 1,
  };
  const of = (pairedExpectedKWh: number) => {
    const day = { ...known, pairedKWh: pairedExpectedKWh / 2, pairedExpectedKWh, peakKWp: 30 };
    const days = [{ day: '2026-06-14', isToday: true, known: day }];
    return plantGlance(PLANT, { days, incidents: [], areCounted: true });
  };
  const paired = { energyKWh: 30, expectedKWh: 60 };
  expect(of(60)).toMatchObject({
    energy: { ratio: 0.5, paired },
    today: { energyKWh: 100, expectedKWh: 120, paired },
  });
  expect(of(6)).toMatchObject({
    energy: { ratio: null, paired: null },
    today: { energyKWh: 100, paired: null },
  });
});
