import { describe, expect, test } from 'vitest';
import { type AnomalySubject, type EnergyDay, findAnomalies } from './anomalies.ts';

type Days = readonly Partial<EnergyDay<number>>[];
/** A source of 10 kWp and 8 kW whose days have 5 kWh/m² and give 40 kWh unless something else is said. */
const source = (
  name: string,
  days: Days,
  more: Partial<AnomalySubject<number>> = {},
): AnomalySubject<number> => ({
  subject: name,
  dcKw: 10,
  acKw: 8,
  orientation: null,
  days: days.map((day, i) => ({
    day: i,
    energyKwh: 40 + (i % 3) / 10,
    irradiationKwhM2: 5,
    expectedKwh: 40,
    ...day,
  })),
  ...more,
});
const usual = (count: number): Days => Array.from({ length: count }, () => ({}));
const rulesOf = (...subjects: AnomalySubject<number>[]) =>
  findAnomalies(subjects).map(({ subject, day, rule, severity }) => `${subject} ${day} ${rule} ${severity}`);

test('days as they should be have no findings', () => {
  expect(findAnomalies([source('a', usual(30)), source('b', usual(30))])).toEqual([]);
  expect(findAnomalies([])).toEqual([]);
});

test('a day without a value is missing, less so where nobody has one', () => {
  expect(rulesOf(source('a', [{ energyKwh: null }, {}]), source('b', usual(2)))).toEqual([
    'a 0 missing minor',
  ]);
  expect(rulesOf(source('a', [{ energyKwh: null }]), source('b', [{ energyKwh: null }]))).toEqual([
    'a 0 missing info',
    'b 0 missing info',
  ]);
});

test('nothing on a bright day is a fault, on a dark one it is not', () => {
  expect(rulesOf(source('a', [{ energyKwh: 0 }, { energyKwh: 0, irradiationKwhM2: 0.4 }]))).toEqual([
    'a 0 zero major',
  ]);
  expect(rulesOf(source('a', [{ energyKwh: 0, irradiationKwhM2: null }]))).toEqual([]);
});

test('the same value on three days hangs from the second on', () => {
  const same = [{ energyKwh: 41.5 }, { energyKwh: 41.5 }, { energyKwh: 41.5 }, { energyKwh: 39 }];
  expect(rulesOf(source('a', same))).toEqual(['a 1 stuck major', 'a 2 stuck major']);
  expect(rulesOf(source('a', same.slice(1)))).toEqual([]);
});

test('more than the light or the inverter can give is too high', () => {
  const [high] = findAnomalies([source('a', [{ energyKwh: 53 }, {}])]);
  expect(high).toMatchObject({ day: 0, rule: 'too_high', value: 53, expected: 52.5, unit: 'kWh' });
  const blind = { irradiationKwhM2: null, expectedKwh: null };
  expect(rulesOf(source('a', [{ ...blind, energyKwh: 193 }]))).toEqual(['a 0 too_high major']);
  expect(rulesOf(source('a', [{ ...blind, energyKwh: 199, hours: 25 }]))).toEqual([]);
  expect(rulesOf(source('a', [{ ...blind, energyKwh: 9999 }], { dcKw: null, acKw: null }))).toEqual([]);
});

test('what the arithmetic of counters set right is told', () => {
  const counter = {
    restarts: [
      { kind: 'reset' as const, before: 9000, value: 3 },
      { kind: 'rollover' as const, before: 65_535, value: 2 },
    ],
    excluded: [{ reason: 'spike' as const, value: 1e9 }],
  };
  const all = findAnomalies([source('a', [{ counter }])]);
  expect(all.map(({ rule, value, expected }) => [rule, value, expected])).toEqual([
    ['counter_reset', 3, 9000],
    ['counter_rollover', 2, 65_535],
    ['counter_outlier', 1e9, null],
  ]);
});

test('two methods that differ by more than a tenth contradict each other', () => {
  const days = [
    { totalEnergyKwh: 40, powerCurveKwh: 37 },
    { totalEnergyKwh: 40, powerCurveKwh: 35 },
    { totalEnergyKwh: 0, powerCurveKwh: 0 },
    { totalEnergyKwh: 40, powerCurveKwh: null },
  ];
  expect(rulesOf(source('a', days))).toEqual(['a 1 method_mismatch minor']);
});

test('a source is compared with the middle of those that lie alike, by its rating', () => {
  const alike = { orientation: '180{30}' };
  const peers = [
    source('a', [{ energyKwh: 40 }], alike),
    source('b', [{ energyKwh: 80 }], { ...alike, dcKw: 20, acKw: 16 }),
    source('c', [{ energyKwh: 33.2 }], alike),
    source('d', [{ energyKwh: 31 }], alike),
    source('north', [{ energyKwh: 20 }], { orientation: '0{30}' }),
    source('free', [{ energyKwh: 20 }]),
    source('e', [{ energyKwh: 41 }], alike),
    source('f', [{ energyKwh: 40 }], alike),
  ];
  const found = findAnomalies(peers);
  expect(found.map(({ subject, rule, severity }) => [subject, rule, severity])).toEqual([
    ['c', 'peer_outlier', 'info'],
    ['d', 'peer_outlier', 'minor'],
  ]);
  expect(found[1]).toMatchObject({ value: 3.1, expected: 4, unit: 'kWh/kWp' });
  expect(findAnomalies(peers.toReversed())).toEqual(found);
});

test('a day that is unusual for its light is told, a cloudy one is not', () => {
  const days = Array.from({ length: 20 }, (_, i) => ({ energyKwh: 39 + ((i * 7) % 5) / 2 }));
  const odd: Days = days.map((day, i) => (i === 10 ? { energyKwh: 20 } : day));
  expect(rulesOf(source('a', odd))).toEqual(['a 10 statistical info']);
  const cloudy: Days = days.map((day, i) =>
    i === 10 ? { energyKwh: 4, irradiationKwhM2: 0.5, expectedKwh: 4 } : day,
  );
  expect(rulesOf(source('a', cloudy))).toEqual([]);
});

describe('less than expected', () => {
  const under = (part: number, from: number, to: number): Days =>
    Array.from({ length: 30 }, (_, i) => (i >= from && i < to ? { energyKwh: 40 * part + i / 1000 } : {}));
  const rule = (days: Days) =>
    findAnomalies([source('a', days)], { hampelLimit: 1000 }).map(({ day, severity }) => [day, severity]);

  test('by more than two fifths on three days is major', () => {
    expect(rule(under(0.5, 10, 13))).toEqual([10, 11, 12].map((day) => [day, 'major']));
    expect(rule(under(0.5, 10, 12))).toEqual([]);
  });

  test('by more than a fifth on seven days is minor', () => {
    expect(rule(under(0.7, 10, 17))).toEqual([10, 11, 12, 13, 14, 15, 16].map((day) => [day, 'minor']));
    expect(rule(under(0.7, 10, 16))).toEqual([]);
  });

  test('a cloudy day and a gap in between are skipped', () => {
    const days = under(0.5, 10, 14).map((day, i) =>
      i === 11 ? { energyKwh: 5, expectedKwh: 5, irradiationKwhM2: 0.6 } : day,
    );
    expect(rule(days)).toEqual([10, 12, 13].map((day) => [day, 'major']));
  });
});
