import type { BatchRow } from '@albedo/contract/link/link.messages';
import { shareByIntervals } from '@albedo/energy/counter-shares';
import { countGains } from '@albedo/energy/counters';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ALL_DEVICES } from '../access/device-scope.ts';
import { block, DEVICE, openTestStore } from './telemetry.test-store.ts';
import { windowEdges } from './telemetry.window-edges.ts';
import type { WindowOperator, WindowsQuery, WindowValues } from './telemetry.windows.ts';

/** More of them find more: PROPERTY_RUNS=500. */
const RUNS = Number(process.env.PROPERTY_RUNS ?? (process.env.ALBEDO_TEST_LONG ? 20 : 2));
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const BESIDE = 24 * HOUR;
/** Rome puts its clocks forward; the day has 23 hours. */
const SPRING = Date.parse('2026-03-28T23:00Z');

let opened: Awaited<ReturnType<typeof openTestStore>>;
beforeAll(async () => {
  opened = await openTestStore();
});
afterAll(() => opened.stop());

let tables = 0;
interface Value {
  at: number;
  v: number;
}

/** Stores the values of streams in the order given, and asks what an operator makes of them. */
async function ask(
  streams: readonly (readonly Value[])[],
  edges: readonly number[],
  wanted: Partial<WindowsQuery> & { operator: WindowOperator },
): Promise<WindowValues[]> {
  const table = `t${++tables}`;
  let number = 1;
  const blocks = streams.map((values, i) => {
    const rows = values.map(({ at, v }): BatchRow => [number++, at, v]);
    return block(table, { P: 'decimal' }, [[number++, 0, 1], ...rows], { source: `s${i}` });
  });
  await opened.store.insert(blocks, table);
  return opened.store.windows('hill', ALL_DEVICES, {
    table,
    dateField: 'event_time',
    streams: streams.map((_, i) => ({
      device: DEVICE,
      source: `s${i}`,
      field: 'P',
      factor: 1,
      offset: 0,
    })),
    edges,
    percent: 50,
    rollsOverAt: null,
    states: [],
    above: null,
    below: null,
    slice: null,
    ...wanted,
  });
}

/** What the words of the contract say, value by value. */
function naive(all: readonly Value[], edges: readonly number[], operator: WindowOperator) {
  const [first, last] = [edges[0] as number, edges.at(-1) as number];
  const values = all
    .filter(({ at }) => at >= first - BESIDE && at < last + BESIDE)
    .toSorted((a, b) => a.at - b.at);
  const pauses = values.slice(1).map(({ at }, i) => at - (values[i]?.at ?? 0));
  const usual = pauses.toSorted((a, b) => a - b)[Math.floor(pauses.length / 2)] ?? 0;
  const counted = shareByIntervals(countGains(readBeside(all, first, last)), edges);
  return edges.slice(0, -1).map((start, i) => {
    const end = edges[i + 1] as number;
    let [area, covered] = [0, 0];
    values.forEach(({ at, v }, k) => {
      const next = values[k + 1];
      if (!next || next.at - at > Math.max(15 * MINUTE, 2.5 * usual)) return;
      const [lo, hi] = [Math.max(at, start), Math.min(next.at, end)];
      if (hi <= lo) return;
      covered += hi - lo;
      area += (hi - lo) * (v + ((next.v - v) * ((lo + hi) / 2 - at)) / (next.at - at));
    });
    const value = operator === 'difference' ? (counted[i]?.amount ?? null) : covered > 0 ? area / HOUR : null;
    return { value, covered };
  });
}

/** Every reading of a range and of a day at either side; where there is none at a side, those of a day there. */
function readBeside(all: readonly Value[], from: number, to: number) {
  const sorted = all.toSorted((a, b) => a.at - b.at);
  const isIn = ({ at }: Value) => at >= from - BESIDE && at < to + BESIDE;
  const within = sorted.filter(isIn);
  const earlier = within.some(({ at }) => at <= from) ? [] : sorted.filter(({ at }) => at < from - BESIDE);
  const later = within.some(({ at }) => at >= to) ? [] : sorted.filter(({ at }) => at >= to + BESIDE);
  const [last, next] = [earlier.at(-1)?.at ?? 0, later[0]?.at ?? 0];
  const before = earlier.filter(({ at }) => at > last - BESIDE);
  const after = later.filter(({ at }) => at < next + BESIDE);
  return [...before, ...within, ...after].map(({ at, v }) => ({ at, value: v }));
}

const stream = fc.uniqueArray(
  fc.record({
    at: fc
      .oneof(
        fc.integer({ min: -30 * 60, max: 80 * 60 }),
        fc.integer({ min: 0, max: 300 }).map((n) => n * 5),
      )
      .map((minutes) => SPRING + minutes * MINUTE),
    v: fc.oneof(
      fc.integer({ min: 0, max: 400 }).map((n) => n / 4),
      fc.constantFrom(0, 65_530, 65_535, 100, 101, 102, -32_768),
    ),
  }),
  { selector: ({ at }) => at, maxLength: 60 },
);

test('differences and integrals agree with a naive model, in any order of arrival, and days add up to the range', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(stream, { minLength: 30, maxLength: 60 }),
      fc.constantFrom('difference' as const, 'integral' as const),
      fc.constantFrom('1h', '1d', '6h'),
      async (streams, operator, interval) => {
        const to = SPRING + 50 * HOUR;
        const edges = windowEdges({ from: SPRING, to }, interval, 'Europe/Rome', 100) as number[];
        const found = await ask(streams, edges, { operator });
        const whole = await ask(streams, [SPRING, to], { operator });
        for (const [i, values] of streams.entries()) {
          const expected = naive(values, edges, operator);
          for (const [k, { value, covered }] of expected.entries()) {
            const at = found[i] as WindowValues;
            if (value === null) expect(at.values[k]).toBeNull();
            else expect(at.values[k]).toBeCloseTo(value, 6);
            expect(at.coveredMs[k]).toBe(covered);
          }
          const parts = found[i]?.values.filter((one) => one !== null) ?? [];
          const total = whole[i]?.values[0] ?? null;
          if (total === null) expect(parts).toEqual([]);
          else expect(parts.reduce((sum, one) => sum + one, 0)).toBeCloseTo(total, 6);
        }
      },
    ),
    { numRuns: RUNS },
  );
});

const every = (minutes: number, values: readonly number[], from = SPRING): Value[] =>
  values.map((v, i) => ({ at: from + i * minutes * MINUTE, v }));

test('a counter that starts over has counted what it shows since; one that rolls over goes on', async () => {
  const values = every(10, [90, 95, 3, 8]);
  const edges = [SPRING, SPRING + HOUR];
  expect((await ask([values], edges, { operator: 'difference' }))[0]?.values).toEqual([13]);
  const rolling = await ask([values], edges, { operator: 'difference', rollsOverAt: 100 });
  expect(rolling[0]?.values).toEqual([18]);
});

test('a counter that counts down counts up, whichever sign it is read with', async () => {
  const values = every(10, [-1000, -1001, -1003, -1004]);
  const edges = [SPRING, SPRING + HOUR];
  expect((await ask([values], edges, { operator: 'difference' }))[0]?.values).toEqual([4]);
  const streams = [{ device: DEVICE, source: 's0', field: 'P', factor: -1, offset: 0 }];
  const turned = { operator: 'difference' as const, streams, table: `t${tables}` };
  expect((await ask([], edges, turned))[0]?.values).toEqual([4]);
});

test('a step that is too steep is doubted among steady ones', async () => {
  const steady = Array.from({ length: 31 }, (_, i) => 1000 + i);
  const values = every(5, [...steady, 1070, ...Array.from({ length: 30 }, (_, i) => 1071 + i)]);
  const streams = [{ device: DEVICE, source: 's0', field: 'P', factor: 1, offset: 0, mostPerHour: 12 }];
  const [found] = await ask([values], [SPRING, SPRING + 6 * HOUR], { operator: 'difference', streams });
  expect([found?.values, found?.doubted]).toEqual([[100], [40]]);
});

test('a counter of days begins anew at midnight, also where it shows more than the day before', async () => {
  const yesterday = every(60, [1, 2, 3, 4, 5], SPRING - 10 * HOUR);
  const edges = [SPRING - 24 * HOUR, SPRING, SPRING + 23 * HOUR];
  const asked = { operator: 'difference' as const, restartsIn: 'Europe/Rome' };
  const [found] = await ask([[...yesterday, { at: SPRING + 12 * HOUR, v: 20 }]], edges, asked);
  expect(found?.values).toEqual([4, 20]);
});

test('what a counter showed last before a long pause is looked for among the readings of a day', async () => {
  const friday = SPRING - 58 * HOUR;
  const range = [SPRING, SPRING + 23 * HOUR];
  for (const wrong of [4_294_967_295, 0]) {
    const values = [
      ...every(60, [998, 999, 1000, wrong], friday),
      ...every(60, [1002, 1003], SPRING + 8 * HOUR),
    ];
    const [found] = await ask([values], range, { operator: 'difference' });
    expect(found?.values[0]).toBeCloseTo(1 + (2 * 8) / 64, 9);
  }
});

test('over a gap an integral counts nothing, and coverage falls', async () => {
  const values = [...every(5, [60, 60, 60]), ...every(5, [60, 60, 60], SPRING + 40 * MINUTE)];
  const [found] = await ask([values], [SPRING, SPRING + HOUR], { operator: 'integral' });
  expect(found).toEqual({ values: [20], counts: [6], coveredMs: [20 * MINUTE] });
});

test('hours in a state, percentiles, deviation, and slices that are combined before the operator', async () => {
  const edges = [SPRING, SPRING + HOUR];
  const values = every(10, [0, 0, 5, 5, 5, 0, 0]);
  const inState = await ask([values], edges, { operator: 'timeInState', above: 1 });
  expect(inState[0]?.values[0]).toBeCloseTo(0.5);
  const states = await ask([values], edges, { operator: 'timeInState', states: [0] });
  expect(states[0]?.values[0]).toBeCloseTo(0.5);
  expect((await ask([every(10, [1, 2, 9])], edges, { operator: 'percentile' }))[0]?.values).toEqual([2]);
  expect((await ask([every(10, [2, 4])], edges, { operator: 'deviation' }))[0]?.values).toEqual([1]);
  const two = [every(10, [4, 0, 0, 1]), every(10, [0, 6, 0, 5])];
  const sliced = await ask(two, edges, { operator: 'max', slice: { ms: 10 * MINUTE, combine: 'sum' } });
  expect(sliced).toMatchObject([{ values: [6] }]);
});

test('of a time in state only the slices count in which other streams reach a value, also those of another table', async () => {
  // Sun in the second and third hour; work in the first two, none in the third, then nothing is known.
  const sun = `t${tables + 2}`;
  const light = every(5, [...Array(12).fill(10), ...Array(24).fill(400), ...Array(12).fill(10)]);
  const rows = light.map(({ at, v }, i): BatchRow => [i + 1, at, v]);
  await opened.store.insert([block(sun, { G: 'decimal' }, [[1, 0, 1], ...rows], { source: 'sky' })], sun);
  const power = every(5, [...Array(24).fill(5000), ...Array(13).fill(0)]);
  const during = (above: number) => ({
    streams: [{ table: sun, device: DEVICE, source: 'sky', field: 'G', factor: 1, offset: 0 }],
    ...{ above, ms: 15 * MINUTE },
  });
  const edges = [0, 1, 2, 3, 4].map((h) => SPRING + h * HOUR);
  const state = { operator: 'timeInState' as const, above: 10 };
  const [producing] = await ask([power], edges, { ...state, during: during(50) });
  expect(producing?.values).toEqual([0, 1, 0, null]);
  tables++;
  const [expected] = await ask([power], edges, { ...state, above: null, during: during(50) });
  expect(expected?.values).toEqual([0, 1, 1, null]);
  const [never] = await ask([power], edges, { ...state, during: during(500) });
  expect(never?.values).toEqual([0, 0, 0, null]);
  const [unknown] = await ask([power], edges, { ...state, during: { ...during(50), streams: [] } });
  expect(unknown?.values).toEqual([0, 0, 0, null]);
});
