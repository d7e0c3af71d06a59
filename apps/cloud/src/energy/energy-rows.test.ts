import { expect, test } from 'vitest';
import type { DaySlots } from '../telemetry/telemetry.service.ts';
import { type CounterReading, countedOn } from './counted.ts';
import { startOf } from './energy-calendar.ts';
import { dayFigures } from './energy-day.ts';
import { Stretches } from './energy-reading.ts';
import { readingsOf } from './energy-rows.ts';

const HOUR = 3_600_000;
const at = (day: number, hour: number) => Date.UTC(2026, 5, day, hour);

/** What a run that begins and ends with these days reads of a counter, as the engine gives it. */
function run(first: number, last: number, readings: readonly CounterReading[]) {
  const edges = Array.from({ length: last - first + 4 }, (_, i) => at(first - 1 + i, 0));
  const stretches = new Stretches();
  edges.slice(0, -1).forEach((from, place) => {
    const own = readings.filter((one) => one.at >= from && one.at < (edges[place + 1] as number));
    if (own.length === 0) return;
    const slots = own.map(
      (one) => [Math.floor((one.at - from) / 900_000), one.value, one.value, one.at - from] as const,
    );
    const whole = { device: '', source: '', field: '', at: place, count: own.length };
    stretches.set(place, { ...whole, firstAt: 0, lastAt: 0, slots } as DaySlots);
  });
  stretches.earlier = readings.findLast((one) => one.at < (edges[0] as number)) ?? null;
  stretches.later = readings.find((one) => one.at >= (edges.at(-1) as number)) ?? null;
  return (day: number) => readingsOf(stretches, edges, day - first + 1, { factor: 1 });
}
const counted = (day: number, readings: readonly CounterReading[]) =>
  countedOn(readings, { from: at(day, 0), to: at(day + 1, 0) }, null)?.energyKWh;

test('a day has the same energy alone and in a run, and a gain over days is shared by all of them', () => {
  const night = [
    { at: at(9, 12), value: 100 },
    { at: at(10, 10), value: 150 },
    { at: at(10, 14), value: 170 },
  ];
  expect(counted(10, run(10, 10, night)(10))).toBeCloseTo((50 * 10) / 22 + 20, 6);
  expect(counted(10, run(1, 20, night)(10))).toBeCloseTo((50 * 10) / 22 + 20, 6);
  const away = [
    { at: at(9, 12), value: 100 },
    { at: at(13, 12), value: 500 },
    { at: at(13, 18), value: 510 },
  ];
  const days = [9, 10, 11, 12, 13];
  for (const [first, last] of [
    [1, 20],
    [9, 13],
  ] as const)
    expect(days.map((day) => counted(day, run(first, last, away)(day)))).toEqual([50, 100, 100, 100, 60]);
  expect(days.map((day) => counted(day, run(day, day, away)(day)))).toEqual([50, 100, 100, 100, 60]);
});

test('a counter of days is read from eight in the morning on, on days of 25 hours too', () => {
  const from = startOf('2026-10-25', 'Europe/Berlin');
  const to = startOf('2026-10-26', 'Europe/Berlin');
  expect((to - from) / HOUR).toBe(25);
  const readings = [
    { at: from - 6 * HOUR, value: 39 },
    { at: from + HOUR, value: 40 },
    // A quarter past seven of the clock: the inverter sleeps and shows yesterday.
    { at: from + 8.25 * HOUR, value: 40 },
    { at: from + 10 * HOUR, value: 1 },
    { at: from + 16 * HOUR, value: 12 },
  ];
  const rules = {
    ...{
      ratedKW: null,
      peakKWp: null,
      gammaPerK: 0,
      systemFactor: 1,
      floorWm2: 20,
      excluded: new Uint8Array(100),
      curtailed: new Uint8Array(100),
    },
    availability: { thresholdWm2: 50, power: 0.05, isWeighted: false, isMissingAvailable: false },
  };
  const streams = {
    counters: [{ method: 'dailyEnergy' as const, readings }],
    ...{ powerKW: null, dcKW: null, count: 4, firstAt: from, lastAt: to },
  };
  const time = { from, to, now: to + HOUR, awakeAt: from + 9 * HOUR };
  expect(dayFigures(time, streams, null, rules).energyKWh).toBe(12);
});
