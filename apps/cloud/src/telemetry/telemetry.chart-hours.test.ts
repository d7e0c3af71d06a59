import type { BatchRow } from '@albedo/contract/link/link.messages';
import { type SeriesPoints, seriesQuery } from '@albedo/contract/telemetry/telemetry.schema';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { FieldCatalog } from './telemetry.catalog.ts';
import { ChartHours, type KeptHours } from './telemetry.chart-hours.ts';
import { HoursKeeper } from './telemetry.hours-keeper.ts';
import { readSeries } from './telemetry.series.ts';
import { block, DEVICE, OTHER_DEVICE, openTestStore } from './telemetry.test-store.ts';

/** More of them find more: PROPERTY_RUNS=500. */
const isLong = process.env.ALBEDO_TEST_LONG === '1';
const RUNS = Number(process.env.PROPERTY_RUNS ?? (isLong ? 6 : 1));
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Ten days before Rome puts its clocks forward. */
const START = Date.parse('2026-03-19T00:00:00Z');
const DAYS = 20;
const STREAMS = [
  { device: DEVICE, source: 'fast' },
  { device: DEVICE, source: 'slow' },
  { device: OTHER_DEVICE, source: 'fast' },
];
const FIELDS = ['P', 'Q'];

let opened: Awaited<ReturnType<typeof openTestStore>>;
let catalog: FieldCatalog;
beforeAll(async () => {
  opened = await openTestStore();
  catalog = new FieldCatalog(opened.clickhouse);
});
afterAll(() => opened.stop());
afterEach(() => vi.restoreAllMocks());

let batches = 0;
/** `agoMs`: how long ago it was stored. */
async function insert(table: string, stream: (typeof STREAMS)[number], rows: BatchRow[], agoMs = 0) {
  const now = Date.now();
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => now - agoMs);
  await opened.store.insert(
    [block(table, { P: 'decimal', Q: 'decimal' }, rows, stream)],
    `hours-${++batches}`,
  );
  clock.mockRestore();
}

/** As if the last look, and the deletions before it, had been two hours ago; `minutes`: the look alone. */
async function age(table: string, minutes = 120): Promise<void> {
  for (const sql of [
    `INSERT INTO telemetry.chart_extents SELECT workgroup, tbl, field, since, until, looked - toIntervalMinute(${minutes}),
       cuts - toIntervalHour(2), version + 1 FROM telemetry.chart_extents FINAL WHERE tbl = '${table}'`,
    `INSERT INTO telemetry.forgotten_hours SELECT workgroup, concat(tbl, '-aged'), before_day, at - toIntervalHour(1)
       FROM telemetry.forgotten_hours WHERE tbl = '${table}'`,
    `ALTER TABLE telemetry.forgotten_hours DELETE WHERE tbl = '${table}'`,
    `INSERT INTO telemetry.forgotten_hours SELECT workgroup, '${table}', before_day, at FROM telemetry.forgotten_hours
       WHERE tbl = '${table}-aged'`,
  ])
    await opened.clickhouse.exec(sql, { settings: { mutations_sync: 2 } });
}

type Asked = {
  from: number;
  to: number;
  maxPoints: number;
  interval?: string;
  timezone?: string;
  function?: string;
};

const keptFrom = () => new ChartHours(opened.clickhouse, 7 * DAY, 0);

/** The same question from kept hours and from the values; `used` says which hours told of it, `guessed` whether beside the look. */
async function both(table: string, asked: Asked, hours = keptFrom(), streams = STREAMS) {
  const series = streams.flatMap((stream) => FIELDS.map((field) => ({ ...stream, table, field })));
  const query = seriesQuery.parse({ ...asked, series });
  const of = {
    ...{ clickhouse: opened.clickhouse, workgroup: 'hill', sees: () => true, signal: undefined },
    find: (name: string, field?: string) => catalog.find('hill', name, field),
  };
  const look = vi.spyOn(hours, 'look').mockClear();
  const bearsOut = vi.spyOn(hours, 'bearsOut').mockClear();
  const isStill = vi.spyOn(hours, 'isStill').mockClear();
  const kept = await readSeries({ ...of, hours }, query);
  const used = (
    await Promise.all(look.mock.results.map(({ value }) => value as Promise<KeptHours | null>))
  )[0];
  const guessed = bearsOut.mock.results.some(({ value }) => value === true);
  const remembered = isStill.mock.results.some(({ value }) => value === true);
  const raw = await readSeries({ ...of, hours: null }, query);
  return { kept, raw, used: used ?? null, guessed, remembered };
}

/** Sums may come in another order; whatever is not a sum is the same. */
function expectSame(kept: readonly SeriesPoints[], raw: readonly SeriesPoints[], hint: string): void {
  const isNear = (a: number | null | undefined, b: number | null) =>
    a === b || (typeof a === 'number' && b !== null && Math.abs(a - b) <= 1e-7 * (1 + Math.abs(b)));
  expect(kept.length).toBe(raw.length);
  for (const [i, one] of raw.entries()) {
    const other = kept[i] as SeriesPoints;
    expect(other.times, hint).toEqual(one.times);
    expect(other.stats.count, hint).toBe(one.stats.count);
    for (const name of ['min', 'avg', 'max'] as const) {
      expect(isNear(other.stats[name], one.stats[name]), `${hint} ${name}`).toBe(true);
      const wrong = one[name].findIndex((value, k) => !isNear(other[name][k], value));
      expect(wrong, `${hint} ${name} ${other[name][wrong]} ${one[name][wrong]}`).toBe(-1);
    }
    expect(isNear(other.stats.last, one.stats.last), `${hint} last`).toBe(true);
  }
}

const steady = (first: number, minutes: number, hasNight: boolean): BatchRow[] =>
  Array.from({ length: (DAYS * 1440) / minutes }, (_, i): BatchRow => {
    const at = START + i * minutes * MINUTE + 20_000;
    const hour = (at / HOUR) % 24;
    const isDark = hasNight && (hour < 5 || hour > 19);
    return [first + i, at, isDark ? null : ((i * 37) % 101) - 20, i % 3 === 0 ? i / 7 : null];
  }).filter((_, i) => i % 1500 < 1100);

/** What happens to a table: values at any minute, new ones, the same again, other ones or none in their place. */
const change = fc.record({
  stream: fc.constantFrom(...STREAMS),
  from: fc.integer({ min: -3 * 1440, max: DAYS * 1440 }),
  count: fc.integer({ min: 1, max: 60 }),
  everyMs: fc.constantFrom(7000, MINUTE, 5 * MINUTE, 50 * MINUTE),
  v: fc.integer({ min: -500, max: 500 }),
  as: fc.constantFrom('new' as const, 'corrected' as const, 'emptied' as const, 'repeated' as const),
});
const FUNCTIONS = ['average', 'min', 'max', 'sum', 'count', 'first', 'last', 'difference', 'stdDeviation'];
type Shape = Pick<Asked, 'maxPoints' | 'interval' | 'timezone'>;
/** Asked twice, so that the second answer is put together from what is remembered of the first. */
const AGAIN: { from: number; to: number; shape: Shape; of: string } = {
  from: START + 7 * HOUR,
  to: START + DAYS * DAY,
  shape: { maxPoints: 100 },
  of: 'average',
};
const question = fc.record({
  from: fc.integer({ min: -2 * 1440, max: 3 * 1440 }).map((n) => START + n * MINUTE),
  to: fc.integer({ min: 12 * 1440, max: (DAYS + 2) * 1440 }).map((n) => START + n * MINUTE + 1234),
  shape: fc.constantFrom<Shape[]>(
    ...[{ maxPoints: 100 }, { maxPoints: 20 }, { maxPoints: 10 }],
    ...['1h', '3h', '1d', '1w', '1M'].map((interval) => ({
      maxPoints: 500,
      interval,
      timezone: 'Europe/Rome',
    })),
    { maxPoints: 500, interval: '1d', timezone: 'Asia/Kolkata' },
  ),
  of: fc.constantFrom(...FUNCTIONS),
});

test('charts from kept hours are those of the values, after any late, repeated, corrected and deleted data', async () => {
  let used = 0;
  let guessed = 0;
  let remembered = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(change, { minLength: 2, maxLength: 6 }),
      fc.array(question, { minLength: 3, maxLength: 5 }),
      fc.integer({ min: 0, max: 6 * 24 }),
      async (changes, questions, cutHours) => {
        const table = `hours${++batches}`;
        const rows = [steady(1, 5, true), steady(100_000, 20, false), steady(200_000, 5, false)];
        for (const [i, stream] of STREAMS.entries())
          await insert(table, stream, rows[i] as BatchRow[], 3 * HOUR);
        await catalog.load();
        const hours = keptFrom();
        const compare = async (hint: string) => {
          for (const { from, to, shape, of } of [AGAIN, ...questions, AGAIN])
            for (const name of new Set(['average', of])) {
              const asked = { from, to, ...shape, ...(name === 'average' ? {} : { function: name }) };
              const found = await both(table, asked, hours);
              expectSame(found.kept, found.raw, `${hint} ${JSON.stringify(asked)}`);
              const mayBe = shape.timezone !== 'Asia/Kolkata' && name !== 'stdDeviation';
              // What follows a deletion is kept again later.
              if (hint !== 'deleted') expect(found.used !== null, `${hint} used`).toBe(mayBe);
              if (found.used) used++;
              if (found.guessed) guessed++;
              if (found.remembered) remembered++;
            }
        };
        const apply = async (agoMs: number, add: number) => {
          for (const [k, { stream, from, count, everyMs, v, as }] of changes.entries()) {
            const own = rows[STREAMS.indexOf(stream)] as BatchRow[];
            const some = Array.from({ length: count }, (_, i): BatchRow => {
              const old = own[(Math.abs(from) + i) % own.length] as BatchRow;
              if (as === 'repeated') return old;
              if (as === 'corrected') return [old[0], old[1], v + i + add, v];
              if (as === 'emptied') return [old[0], old[1], null, null];
              return [
                900_000 + add * 10_000 + k * 100 + i,
                START + from * MINUTE + i * everyMs + add,
                v + i,
                null,
              ];
            });
            await insert(table, stream, some, agoMs);
          }
        };
        const ask = () => both(table, { from: START, to: START + DAYS * DAY, maxPoints: 100 });
        await ask();
        await opened.store.keepHours(undefined, true);
        await compare('kept');
        await apply(0, 1);
        await compare('late');
        await apply(20 * MINUTE, 2);
        await age(table);
        await opened.store.keepHours(undefined, true);
        await compare('renewed');
        await opened.store.deleteEvents('hill', table, START + cutHours * HOUR);
        await compare('deleted');
        await age(table);
        await opened.store.keepHours(undefined, true);
        await compare('kept again');
      },
    ),
    { numRuns: RUNS, endOnFailure: true },
  );
  expect(used).toBeGreaterThan(0);
  expect(remembered).toBeGreaterThan(0);
  // Only some changes lead there.
  if (RUNS > 1) expect(guessed).toBeGreaterThan(0);
}, 600_000);

test('an import that is undone is gone from charts, also where hours of it were kept', async () => {
  const table = `hours${++batches}`;
  const [stream] = STREAMS as [(typeof STREAMS)[number]];
  await insert(table, stream, steady(1, 20, false), 3 * HOUR);
  const imported = steady(5_000_000, 20, false).map(([id, at]): BatchRow => [id, at + 1000, 9999, null]);
  await insert(table, stream, imported, 3 * HOUR);
  await catalog.load();
  const asked = { from: START, to: START + DAYS * DAY, maxPoints: 100 };
  await both(table, asked);
  await opened.store.keepHours(undefined, true);
  const before = await both(table, asked);
  expect(before.used).not.toBeNull();
  expect(before.kept[0]?.stats.max).toBe(9999);
  await opened.store.forgetNumbered('hill', { from: 5_000_000, to: 6_000_000 }, [{ ...stream, table }]);
  for (const isKeptAgain of [false, true]) {
    if (isKeptAgain) {
      await age(table);
      await opened.store.keepHours(undefined, true);
    }
    const { kept, raw, used } = await both(table, asked);
    expect(used !== null).toBe(isKeptAgain);
    expectSame(kept, raw, 'undone');
    expect(kept[0]?.stats.max).toBe(80);
  }
});

test('a chart that was asked for lately reads no hours again, and shows all the same what was changed since', async () => {
  const table = `hours${++batches}`;
  const [stream, , other] = STREAMS as [(typeof STREAMS)[number], unknown, (typeof STREAMS)[number]];
  // Without its sixth day: of what follows the deletion below nothing is made again.
  const rows = steady(1, 20, false).filter(([, at]) => Math.floor((at - START) / DAY) !== 5);
  await insert(table, stream, rows, 3 * HOUR);
  const others = rows.map(([id, at, value]): BatchRow => [id, at, (value as number) * 2, null]);
  await insert(table, other, others, 3 * HOUR);
  await catalog.load();
  // Neither end is where a bucket begins.
  const asked = { from: START + 7 * HOUR, to: START + 15 * DAY + 5 * HOUR, maxPoints: 70 };
  const hours = keptFrom();
  const check = async (hint: string, isRemembered: boolean) => {
    const queries = vi.spyOn(opened.clickhouse, 'queryColumns').mockClear();
    const { kept, raw, remembered } = await both(table, asked, hours);
    const hasReadHours = queries.mock.calls.some(([sql]) => sql.includes('telemetry.chart_hours'));
    expectSame(kept, raw, hint);
    expect([remembered, hasReadHours], hint).toEqual([isRemembered, !isRemembered]);
  };
  const keep = async (minutes = 120) => {
    await age(table, minutes);
    await opened.store.keepHours(undefined, true);
  };
  await both(table, asked);
  await opened.store.keepHours(undefined, true);
  await check('first', false);
  await check('again', true);
  for (const one of [stream, other, stream, other]) {
    const { kept, raw } = await both(table, asked, hours, [one]);
    expectSame(kept, raw, 'each by itself');
  }
  const [id, at] = rows[700] as BatchRow;
  await age(table);
  await insert(table, stream, [[id, at, 5555, null]], 20 * MINUTE);
  await check('corrected', false);
  await keep();
  await check('corrected and kept', false);
  await check('corrected and kept, again', true);
  const turned = rows
    .slice(700, 702)
    .map(([number, time], i): BatchRow => [number, time, i ? 5555 : 7, null]);
  await insert(table, stream, turned, 20 * MINUTE);
  // Nobody asks between the change and the next run of the job.
  await keep();
  await check('changed unseen', false);
  await check('changed unseen, again', true);
  await opened.store.deleteEvents('hill', table, START + 5 * DAY);
  await keep(0);
  await check('deleted unseen', false);
  await check('deleted unseen, again', true);
  const burst = (number: number, from: number, length: number) =>
    Array.from({ length }, (_, i): BatchRow => [number + i, from + i * 1000, number + (i % 7), null]);
  // Two of the last buckets that are remembered, and the one beside them.
  await insert(table, stream, burst(700_000, START + 14 * DAY + 16 * HOUR, 500), 20 * MINUTE);
  await insert(table, stream, burst(710_000, START + 15 * DAY - 250_000, 500), 20 * MINUTE);
  await keep();
  await check('bursts', false);
  await check('bursts, again', true);
  await insert(table, stream, burst(800_000, START + 15 * DAY + HOUR, 500));
  await check('values beside it', true);
  await insert(table, stream, burst(810_000, START + 15 * DAY + HOUR + 500, 500));
  await check('more values beside it', true);
  await insert(table, stream, burst(820_000, START + 15 * DAY + 2 * HOUR, 9000));
  for (const hint of ['many values beside it', 'many again']) await check(hint, true);
});

test('hours that were kept before they told of counters are not asked for them, and are made again', async () => {
  const table = `hours${++batches}`;
  const [stream] = STREAMS as [(typeof STREAMS)[number]];
  await insert(table, stream, steady(1, 20, false), 3 * HOUR);
  await catalog.load();
  const asked = { from: START, to: START + DAYS * DAY, maxPoints: 100, function: 'difference' };
  await both(table, asked);
  await opened.store.keepHours(undefined, true);
  await opened.clickhouse.exec(`ALTER TABLE telemetry.chart_hours UPDATE falls = -1 WHERE tbl = '${table}'`, {
    settings: { mutations_sync: 2 },
  });
  const before = await both(table, asked);
  expectSame(before.kept, before.raw, 'before');
  // As after a start of the release that began to keep them.
  await new HoursKeeper(opened.clickhouse, catalog).keep(undefined, true);
  const old = `SELECT count() FROM telemetry.chart_hours FINAL WHERE tbl = '${table}' AND falls < 0`;
  expect(await opened.clickhouse.queryRows(old)).toEqual([['0']]);
  const after = await both(table, asked);
  expectSame(after.kept, after.raw, 'after');
});
