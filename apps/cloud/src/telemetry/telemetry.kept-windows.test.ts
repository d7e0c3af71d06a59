import { setTimeout as wait } from 'node:timers/promises';
import type { BatchRow } from '@albedo/contract/link/link.messages';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ALL_DEVICES, type DeviceScope } from '../access/device-scope.ts';
import { block, DEVICE, OTHER_DEVICE, openTestStore } from './telemetry.test-store.ts';
import { windowEdges } from './telemetry.window-edges.ts';
import type { WindowOperator, WindowsQuery, WindowValues } from './telemetry.windows.ts';

/** More of them find more: PROPERTY_RUNS=500. */
const RUNS = Number(process.env.PROPERTY_RUNS ?? (process.env.ALBEDO_TEST_LONG ? 10 : 1));
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const ZONE = 'Europe/Rome';
/** Two days before Rome puts its clocks forward. */
const START = Date.parse('2026-03-27T00:00+01:00');
const FAST = 's fast';
const SLOW = 's slow';
const OPERATORS: WindowOperator[] = [
  ...(['average', 'timeWeightedAverage', 'min', 'max', 'sum', 'count', 'first', 'last'] as const),
  ...(['difference', 'integral', 'timeInState'] as const),
];

let opened: Awaited<ReturnType<typeof openTestStore>>;
beforeAll(async () => {
  opened = await openTestStore();
});
afterAll(() => opened.stop());

let tables = 0;
let batches = 0;
const insert = (table: string, source: string, rows: BatchRow[], device = DEVICE) =>
  opened.store.insert([block(table, { P: 'decimal' }, rows, { source, device })], `kept-${++batches}`);

const queryOf = (table: string, operator: WindowOperator, edges: number[]): WindowsQuery => ({
  ...{ table, dateField: 'event_time', edges, operator, percent: 50, rollsOverAt: null },
  ...{ states: [], above: 10, below: null, slice: null },
  streams: [FAST, SLOW].map((source, i) => ({
    ...{ device: DEVICE, source, field: 'P' },
    ...(i === 0 ? { factor: -2, offset: 5 } : { factor: 1, offset: 0 }),
  })),
});

/** The same numbers, in the order of sums as they may come. */
function expectSame(kept: readonly WindowValues[], raw: readonly WindowValues[], hint: string): void {
  for (const [i, one] of raw.entries()) {
    expect(kept[i]?.counts, hint).toEqual(one.counts);
    expect(kept[i]?.coveredMs, hint).toEqual(one.coveredMs);
    for (const [k, value] of one.values.entries()) {
      const found = kept[i]?.values[k];
      if (value === null) expect(found, hint).toBeNull();
      else expect(Math.abs((found ?? Number.NaN) - value), hint).toBeLessThan(1e-6 * (1 + Math.abs(value)));
    }
  }
}

const ask = (query: WindowsQuery, days?: string, scope: DeviceScope = ALL_DEVICES) =>
  opened.store.windows('hill', scope, days === undefined ? query : { ...query, days });

/** What happens to a table: values at any minute of eight days, which are new, the same again, or other ones. */
const change = fc.record({
  source: fc.constantFrom(FAST, SLOW),
  from: fc.integer({ min: -30 * 60, max: 8 * 24 * 60 }),
  count: fc.integer({ min: 1, max: 40 }),
  everyMinutes: fc.constantFrom(1, 5, 20),
  v: fc.integer({ min: 0, max: 50 }),
  isCorrection: fc.boolean(),
});

test('what is put together from kept days is what the values themselves give, after any late, repeated or corrected data', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(change, { minLength: 3, maxLength: 6 }),
      fc.constantFrom('1d', '1w', undefined),
      fc.integer({ min: 0, max: 2 }).map((n) => n * 7 * HOUR),
      async (changes, interval, into) => {
        const table = `kept${++tables}`;
        const known = new Map<number, BatchRow>();
        const steady = (source: string, base: number, minutes: number): BatchRow[] =>
          Array.from({ length: (7 * 24 * 60) / minutes }, (_, i): BatchRow => {
            const at = START + i * minutes * MINUTE + 20_000;
            const row: BatchRow = [base + i, at, (i * 7) % 60];
            // A hole of an hour, and one of two days.
            return (i % 400 > 388 && source === FAST) || (i > 900 && i < 1500)
              ? [base + i, START - 40 * DAY + i, 1]
              : row;
          });
        await insert(table, FAST, steady(FAST, 1, 5));
        await insert(table, SLOW, steady(SLOW, 100_000, 20));
        const range = { from: START + into, to: START + 6 * DAY + into };
        const edges = windowEdges(range, interval, ZONE, 100) as number[];
        const compare = async (operators: readonly WindowOperator[], hint: string) => {
          for (const operator of operators) {
            const query = queryOf(table, operator, edges);
            expectSame(await ask(query, ZONE), await ask(query), `${operator} ${hint}`);
          }
        };
        await compare(['integral'], 'at first');
        let number = 1_000_000;
        for (const { source, from, count, everyMinutes, v, isCorrection } of changes) {
          const rows = Array.from({ length: count }, (_, i): BatchRow => {
            const at = START + (from + i * everyMinutes) * MINUTE;
            const before = known.get(at);
            if (before && isCorrection) return [before[0], at, v + i];
            const row: BatchRow = before ?? [number++, at, v + ((i * 13) % 30)];
            known.set(at, row);
            return row;
          });
          await insert(table, source, rows);
        }
        await compare(OPERATORS, 'after changes');
      },
    ),
    { numRuns: RUNS },
  );
}, 240_000);

test('what counters counted is the same from kept days, also over gaps, dips and the edges of what there is', async () => {
  const counted = fc.record({
    from: fc.integer({ min: -60, max: 24 * 6 }),
    hours: fc.integer({ min: 1, max: 24 * 9 }),
    every: fc.constantFrom(5, 10),
    hole: fc.tuple(fc.integer({ min: 0, max: 24 * 8 }), fc.integer({ min: 0, max: 70 })),
    dips: fc.array(fc.tuple(fc.integer({ min: 0, max: 24 * 60 * 8 }), fc.constantFrom(0, 65_535, -1)), {
      maxLength: 2,
    }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(counted, { minLength: 8, maxLength: 8 }), async (counters) => {
      const table = `kept${++tables}`;
      for (const [c, { from, hours, every, hole, dips }] of counters.entries()) {
        const rows = Array.from({ length: (hours * 60) / every }, (_, i): BatchRow => {
          const at = START + from * HOUR + i * every * MINUTE + 1000;
          const dip = dips.find(([minute]) => minute >= i * every && minute < (i + 3) * every);
          return [1 + i, at, dip ? dip[1] : 5000.5 + Math.floor(i * i * 0.01) / 10];
        });
        const [start, length] = hole;
        const isIn = ([, at]: BatchRow) =>
          Number(at) >= START + start * HOUR && Number(at) < START + (start + length) * HOUR;
        await insert(table, `c${c}`, [[900_000, START - 300 * DAY, 1], ...rows.filter((row) => !isIn(row))]);
      }
      const edges = windowEdges({ from: START, to: START + 6 * DAY }, '1d', ZONE, 100) as number[];
      const query = {
        ...queryOf(table, 'difference', edges),
        streams: counters.map((_, c) => ({
          device: DEVICE,
          source: `c${c}`,
          field: 'P',
          factor: 0.001,
          offset: 3,
        })),
      };
      const [kept, raw] = [await ask(query, ZONE), await ask(query)];
      for (const [i, one] of raw.entries()) {
        expect(kept[i]?.counts).toEqual(one.counts);
        expect(kept[i]?.coveredMs).toEqual(one.coveredMs);
        expect(kept[i]?.excluded).toEqual(one.excluded);
        for (const [k, value] of one.values.entries())
          if (value === null) expect(kept[i]?.values[k]).toBeNull();
          else expect(kept[i]?.values[k]).toBeCloseTo(value, 9);
      }
    }),
    { numRuns: 2 * RUNS },
  );
}, 120_000);

test('days that were kept by another rule are made again, by who asks or in the background', async () => {
  const table = `kept${++tables}`;
  const rows = Array.from({ length: 6 * 288 }, (_, i): BatchRow => [1 + i, START + i * 5 * MINUTE, 100 + i]);
  await insert(table, FAST, rows);
  const query = queryOf(table, 'difference', [START, START + 5 * DAY]);
  const [first] = await ask(query, ZONE);
  expect(first?.values[0]).toBeCloseTo(-2 * 5 * 288);
  const age = () =>
    opened.clickhouse.exec(
      `ALTER TABLE telemetry.days UPDATE rule = 0, c8 = 77, c5 = 0 WHERE tbl = '${table}'`,
      {
        settings: { mutations_sync: 2 },
      },
    );
  await age();
  expect((await ask(query, ZONE))[0]?.values).toEqual(first?.values);
  await age();
  await opened.store.keepHours();
  const old = `SELECT count() FROM telemetry.days FINAL WHERE tbl = '${table}' AND rule = 0 AND c0 >= 0`;
  expect(await opened.clickhouse.queryRows(old)).toEqual([['0']]);
  expect((await ask(query, ZONE))[0]?.values).toEqual(first?.values);
});

test('days that cannot be made again, as after a clock was set back, keep no others from it', async () => {
  const table = `kept${++tables}`;
  await insert(table, FAST, [[1, START, 1]]);
  const kept = (source: string, made: number) =>
    JSON.stringify({
      ...{ workgroup: 'hill', tbl: table, zone: ZONE, field: 'P', device: DEVICE, source },
      ...{ day: '2026-03-27', made, rule: 0 },
    });
  const ahead = Array.from({ length: 45 }, (_, i) => kept(`a${i}`, Date.now() + DAY));
  await opened.clickhouse.insert(
    'INSERT INTO telemetry.days FORMAT JSONEachRow',
    Buffer.from([...ahead, kept(FAST, Date.now() - DAY)].join('\n')),
  );
  await opened.store.keepHours();
  const old = `SELECT DISTINCT source = '${FAST}' FROM telemetry.days FINAL WHERE tbl = '${table}' AND rule = 0`;
  expect(await opened.clickhouse.queryRows(old)).toEqual([[0]]);
});

test('kept days say when they were made, and only those that something came for are made again', async () => {
  const table = `kept${++tables}`;
  const rows = Array.from({ length: 6 * 288 }, (_, i): BatchRow => [1 + i, START + i * 5 * MINUTE, i]);
  await insert(table, FAST, rows);
  const query = queryOf(table, 'min', windowEdges({ from: START, to: START + 5 * DAY }, '1d', ZONE, 9) ?? []);
  const before = Date.now() - 1000;
  const [first] = await ask(query, ZONE);
  expect(first?.madeAt).toBeGreaterThan(before);
  const madeOf = () =>
    opened.clickhouse.queryRows<[string, string]>(
      `SELECT toString(day), toString(made) FROM telemetry.days FINAL WHERE tbl = '${table}' AND source = '${FAST}' ORDER BY day`,
    );
  const made = new Map(await madeOf());
  // As if the last look had been half a minute later, so that it need not look at the same events again.
  const looked = { workgroup: 'hill', tbl: table, zone: ZONE, looked: Date.now() + 30_500 };
  await opened.clickhouse.insert(
    'INSERT INTO telemetry.day_looks FORMAT JSONEachRow',
    Buffer.from(JSON.stringify(looked)),
  );
  await wait(1000);
  await insert(table, FAST, [[90_000, START + 2 * DAY + HOUR, 1e6]]);
  const [second] = await ask(query, ZONE);
  expect(second?.values[2]).not.toBe(first?.values[2]);
  expect((await madeOf()).filter(([day, at]) => made.get(day) !== at).map(([day]) => day)).toEqual([
    '2026-03-29',
  ]);
});

test('questions at the same time, just after data came late, do not take the days of one another', async () => {
  const table = `kept${++tables}`;
  const rows = Array.from({ length: 6 * 288 }, (_, i): BatchRow => [1 + i, START + i * 5 * MINUTE, i % 100]);
  await insert(table, FAST, rows);
  const operators = ['sum', 'count', 'max', 'difference', 'integral', 'last'] as const;
  const queries = operators.map((operator) => queryOf(table, operator, [START, START + 5 * DAY]));
  for (let round = 0; round < 3; round++) {
    await insert(table, FAST, [[50_000 + round, START + 2 * DAY + round * MINUTE, 1000]]);
    const kept = await Promise.all(queries.map((query) => ask(query, ZONE)));
    for (const [i, query] of queries.entries()) expectSame(kept[i] ?? [], await ask(query), query.operator);
  }
});

test('who does not see a device gets nothing of what is kept of it, and deleted events are gone from it', async () => {
  const table = `kept${++tables}`;
  const rows = Array.from({ length: 5 * 288 }, (_, i): BatchRow => [1 + i, START + i * 5 * MINUTE, i]);
  await insert(table, FAST, rows);
  await insert(table, FAST, rows, OTHER_DEVICE);
  const query = queryOf(table, 'count', [START, START + 4 * DAY]);
  expect((await ask(query, ZONE))[0]?.counts).toEqual([4 * 288]);
  const other: DeviceScope = {
    ...{ isAll: false, sources: () => null, ids: () => [OTHER_DEVICE], version: () => 'other' },
    has: (id) => id === OTHER_DEVICE,
  };
  expect((await ask(query, ZONE, other))[0]).toEqual({ values: [null], counts: [0], coveredMs: [0] });
  await opened.store.deleteEvents('hill', table, START + DAY);
  expect((await ask(query, ZONE))[0]?.counts).toEqual([3 * 288]);
});

test('a range with more intervals than are wanted is refused before they are all counted', () => {
  const range = { from: START, to: START + 10 * DAY };
  for (const interval of ['1d', '1h'])
    expect(windowEdges({ from: 0, to: 8.64e15 - DAY }, interval, ZONE, 100)).toBeNull();
  // The last of them is the hour that summer time takes.
  expect(windowEdges(range, '1d', ZONE, 11)).toHaveLength(12);
  expect(windowEdges(range, '1d', ZONE, 10)).toBeNull();
});
