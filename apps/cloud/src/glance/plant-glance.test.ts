import type { PlantGlance } from '@albedo/contract/glance/glance.schema';
import type { PlantSummary } from '@albedo/contract/plants/plants.schema';
import { expect, test } from 'vitest';
import { byNeed, plantGlance } from './plant-glance.ts';

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
    const days = [{ day: '2026-06-14', isToday: true, energy: day }];
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

test('what is under stands above what is well, whatever their ratios', () => {
  const of = (name: string, state: PlantGlance['state'], ratio: number | null, cause?: string) =>
    ({
      name,
      state,
      energy: ratio === null ? null : { ratio },
      causes: cause ? [{ kind: cause }] : [],
    }) as PlantGlance;
  const all = [
    of('unknown', 'unknown', null),
    of('well', 'well', 0.98),
    of('more than well', 'well', 2.5),
    of('arriving', 'arriving', null),
    of('one fault', 'under', 1, 'fault'),
    of('under for a reason', 'under', 1.2, 'string'),
    of('under', 'under', 0.7),
    of('silent', 'silent', null),
  ];
  expect(all.toSorted(byNeed).map(({ name }) => name)).toEqual([
    'silent',
    'one fault',
    'under',
    'under for a reason',
    'well',
    'more than well',
    'arriving',
    'unknown',
  ]);
});
