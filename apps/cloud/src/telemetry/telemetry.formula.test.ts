import type { BatchRow } from '@albedo/contract/link/link.messages';
import type { SeriesFunction } from '@albedo/contract/telemetry/series-functions';
import { seriesQuery } from '@albedo/contract/telemetry/telemetry.schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { z } from 'zod';
import { ALL_DEVICES } from '../access/device-scope.ts';
import { block, DEVICE, OTHER_DEVICE, openTestStore } from './telemetry.test-store.ts';

let engine: Awaited<ReturnType<typeof openTestStore>>;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** The week in which the clocks of Berlin go back, on Sunday 25 October 2026. */
const AT = Date.UTC(2026, 9, 20, 22);
const FIELDS = {
  power: ['decimal', 'kW'] as ['decimal', string],
  energy: ['decimal', 'kWh'] as ['decimal', string],
  read: 'date' as const,
};
/** Seven days at 15 minutes: power 0, 1, 2, …; a counter that starts over after 400; read a day later than noted. */
const rows = Array.from({ length: 700 }, (_, i): BatchRow => {
  const at = AT + i * 15 * MINUTE;
  return [1 + i, at, i, i < 400 ? i * 2 : (i - 400) * 2, at + DAY];
});

beforeAll(async () => {
  engine = await openTestStore();
  await engine.store.insert([block('solar', FIELDS, rows)], 'a');
  const other = rows.map(([id, at, power = 0]): BatchRow => [id, at + 40_000, Number(power) * 10]);
  await engine.store.insert(
    [block('meter', { load: ['decimal', 'W'] }, other, { device: OTHER_DEVICE, source: 'grid' })],
    'b',
  );
});
afterAll(() => engine?.stop());

const solar = (field: string) => ({ device: DEVICE, table: 'solar', source: 'inv-01', field });
const load = { device: OTHER_DEVICE, table: 'meter', source: 'grid', field: 'load' };
const week = { from: AT, to: AT + 700 * 15 * MINUTE };
const ask = (given: Partial<z.input<typeof seriesQuery>>) =>
  engine.store.series('hill', ALL_DEVICES, seriesQuery.parse({ ...week, ...given }));
const one = async (given: Partial<z.input<typeof seriesQuery>>) => (await ask(given))[0];
const applied = (of: SeriesFunction, more = {}) =>
  one({ series: [solar('power')], interval: '1d', timezone: 'Europe/Berlin', function: of, ...more });

test('days are cut in the zone, the one with 25 hours too, and averages keep their extremes', async () => {
  const points = await one({ series: [solar('power')], interval: '1d', timezone: 'Europe/Berlin' });
  const hours = points?.times.slice(1).map((at, i) => (at - (points.times[i] ?? 0)) / HOUR);
  expect(hours).toEqual([24, 24, 24, 24, 25, 24, 24]);
  expect([points?.min[0], points?.avg[0], points?.max[0]]).toEqual([0, 47.5, 95]);
  expect([points?.min[4], points?.max[4]]).toEqual([384, 483]);
  expect(points?.stats).toMatchObject({ count: 700, min: 0, max: 699, last: 699 });
});

test('each function is what SQL makes of the values of the day', async () => {
  const day = Array.from({ length: 96 }, (_, i) => i);
  const sum = day.reduce((a, b) => a + b);
  const first = async (of: SeriesFunction) => (await applied(of))?.avg[0];
  expect(await first('min')).toBe(0);
  expect(await first('max')).toBe(95);
  expect(await first('sum')).toBe(sum);
  expect(await first('count')).toBe(96);
  expect(await first('first')).toBe(0);
  expect(await first('last')).toBe(95);
  const variance = day.reduce((all, value) => all + (value - sum / 96) ** 2, 0) / 96;
  expect(await first('stdDeviation')).toBeCloseTo(Math.sqrt(variance), 9);
  const sums = await applied('sum');
  expect(sums?.stats).toMatchObject({ count: 8, max: Math.max(...(sums?.avg.map(Number) ?? [])) });
  expect(sums?.min).toEqual(sums?.max);
});

test('the differences of a counter add up over its start over', async () => {
  const points = await applied('difference', { series: [solar('energy')] });
  const whole = points?.avg.reduce<number>((all, value) => all + (value ?? 0), 0);
  // 399 steps of 2, none for the new beginning at 0, and 299 steps more.
  expect(whole).toBe(399 * 2 + 299 * 2);
  expect(points?.avg[0]).toBe(96 * 2);
});

test('a difference counts from the last reading before the range, as a KPI does', async () => {
  const range = { from: AT + DAY, to: AT + 2 * DAY };
  const points = await one({
    ...range,
    series: [solar('energy')],
    function: 'difference',
    interval: '1d',
    timezone: 'Europe/Berlin',
  });
  const [kpi] = await engine.store.windows('hill', ALL_DEVICES, {
    ...{ table: 'solar', dateField: 'event_time', edges: [range.from, range.to], operator: 'difference' },
    ...{ percent: 0, rollsOverAt: null, states: [], above: null, below: null, slice: null },
    streams: [{ device: DEVICE, source: 'inv-01', field: 'energy', factor: 1, offset: 0 }],
  });
  // Every step of the 96 of the day, the one over its beginning among them.
  expect(points?.avg).toEqual([96 * 2]);
  expect(kpi?.values).toEqual([96 * 2]);
});

test('a line with a range of its own is read there, in the same answer', async () => {
  const hour = { from: AT + DAY, to: AT + DAY + HOUR };
  const earlier = { from: AT, to: AT + HOUR };
  const points = await ask({
    ...hour,
    series: [solar('power'), { ...solar('power'), span: earlier }, solar('energy')],
  });
  expect(points.map(({ avg }) => avg[0])).toEqual([96, 0, 192]);
  expect(points[1]?.times[0]).toBe(AT);
});

test('a date field is the time where the table has it', async () => {
  const points = await ask({ series: [solar('power'), load], dateField: 'read', maxPoints: 10_000 });
  expect(points[0]?.times[0]).toBe(AT + DAY);
  expect(points[0]?.times).toHaveLength(700 - 96);
  expect(points[1]?.times[0]).toBe(AT + 40_000);
});

test('a formula over one stream is evaluated event by event, with its extremes', async () => {
  const inputs = [
    { name: 'p', ...solar('power') },
    { name: 'e', ...solar('energy') },
  ];
  const [twice, mixed] = await ask({
    formulas: [
      { expression: 'p * 2', unit: 'W', inputs },
      { expression: 'max(p, e / 2 h)', unit: null, inputs },
    ],
    interval: '1d',
    timezone: 'Europe/Berlin',
  });
  expect(twice?.unit).toBe('W');
  expect([twice?.min[0], twice?.max[0]]).toEqual([0, 190_000]);
  expect(mixed?.unit).toBe('kW');
  expect(mixed?.max[0]).toBe(95);
  const raw = await one({
    series: [],
    formulas: [{ expression: '1 / p', inputs: inputs.slice(0, 1) }],
    maxPoints: 10_000,
  });
  // A division by zero is no value.
  expect(raw?.times).toHaveLength(699);
  expect(raw?.avg[0]).toBe(1);
});

test('a formula over two devices goes by the steps of the slower one', async () => {
  const inputs = [
    { name: 'made', ...solar('power') },
    { name: 'used', ...load },
  ];
  const formulas = [{ expression: 'made - used', unit: 'kW', inputs }];
  const points = await one({ formulas, maxPoints: 10_000 });
  expect(points).toMatchObject({ unit: 'kW', stepMs: 0 });
  expect(points?.times).toHaveLength(700);
  expect(points?.avg[100]).toBeCloseTo(100 - 1, 9);
  const days = await one({ formulas, interval: '1d', timezone: 'Europe/Berlin', function: 'max' });
  expect(days?.avg[0]).toBeCloseTo(95 * 0.99, 9);
  const thinned = await one({ formulas, maxPoints: 10 });
  expect(thinned?.max.at(-1)).toBeCloseTo(699 * 0.99, 9);
});

test('kWh and kW are not added, and the fault names its character', async () => {
  const inputs = [
    { name: 'p', ...solar('power') },
    { name: 'e', ...solar('energy') },
  ];
  const refused = (expression: string) => ask({ formulas: [{ expression, inputs }] });
  await expect(refused('p + e')).rejects.toMatchObject({
    issues: [
      { path: 'formulas.0.expression', facts: { at: '3', what: 'kW and kWh cannot be combined here.' } },
    ],
  });
  await expect(refused('p + q')).rejects.toMatchObject({ issues: [{ facts: { at: '5' } }] });
  await expect(
    ask({ formulas: [{ expression: 'p', inputs: [{ name: 'p', ...solar('none') }] }] }),
  ).rejects.toMatchObject({ error: 'table.field_unknown' });
  await expect(one({ series: [solar('power')], timezone: 'Mars/Base' })).rejects.toMatchObject({
    issues: [{ issue: 'issue.zone_unknown' }],
  });
});
