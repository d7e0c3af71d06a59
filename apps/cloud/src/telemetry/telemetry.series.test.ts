import type { BatchRow } from '@albedo/contract/link/link.messages';
import { seriesQuery } from '@albedo/contract/telemetry/telemetry.schema';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ALL_DEVICES } from '../access/device-scope.ts';
import { joined, statsOf, type Tally, weigh } from './telemetry.series-points.ts';
import type { TelemetryStore } from './telemetry.store.ts';
import { block, DEVICE, OTHER_DEVICE, openTestStore } from './telemetry.test-store.ts';
import { gapsIn } from './telemetry.weights.ts';

let engine: Awaited<ReturnType<typeof openTestStore>>;
let store: TelemetryStore;
const AT = Date.UTC(2026, 0, 1);
const MINUTE = 60_000;
const DAY = 86_400_000;

beforeAll(async () => {
  engine = await openTestStore();
  store = engine.store;
  // 30 days at 5 minutes, dark on the tenth day; the value is the number of the event.
  const events = Array.from({ length: 30 * 288 }, (_, i): [number, number, number, number | null] => [
    1 + i,
    AT + i * 5 * MINUTE,
    i,
    i % 3 === 0 ? i / 10 : null,
  ]).filter(([, at]) => at < AT + 10 * DAY || at >= AT + 11 * DAY);
  await store.insert([block('solar', { power: 'decimal', some: 'decimal', text: 'keyword' }, events)], 'a');
  await store.insert([block('solar', { power: 'decimal' }, [[1, AT, 7]], { device: OTHER_DEVICE })], 'b');
});
afterAll(() => engine?.stop());

const series = (field: string, device = DEVICE) => ({ device, table: 'solar', source: 'inv-01', field });
const read = (from: number, to: number, maxPoints: number, ...fields: string[]) =>
  store.series(
    'hill',
    ALL_DEVICES,
    seriesQuery.parse({ from, to, maxPoints, series: fields.map((field) => series(field)) }),
  );

test('few events are points of their own, in the range only', async () => {
  const [points] = await read(AT + 5 * MINUTE, AT + 25 * MINUTE, 100, 'power');
  expect(points).toEqual({
    stepMs: 0,
    times: [1, 2, 3, 4].map((i) => AT + i * 5 * MINUTE),
    min: [1, 2, 3, 4],
    avg: [1, 2, 3, 4],
    max: [1, 2, 3, 4],
    // Each value counts for the five minutes until the next one, so the last one does not count.
    stats: { count: 4, min: 1, avg: 2, max: 4, last: 4 },
  });
});

test('many events are thinned to equal buckets with min, avg and max', async () => {
  const [points] = await read(AT, AT + 10 * DAY, 240, 'power');
  expect(points?.stepMs).toBe(60 * MINUTE);
  expect(points?.times).toHaveLength(240);
  expect(points?.times[1]).toBe(AT + 60 * MINUTE);
  expect([points?.min[1], points?.avg[1], points?.max[1]]).toEqual([12, 17.5, 23]);
});

test('a dark day is one gap, thinned or not, and nothing else is', async () => {
  for (const [from, to, maxPoints] of [
    [AT, AT + 30 * DAY, 700],
    [AT + 9 * DAY, AT + 12 * DAY, 2000],
  ] as const) {
    const [points] = await read(from, to, maxPoints, 'power');
    const gaps = points?.avg.flatMap((value, i) => (value === null ? [points.times[i] ?? 0] : [])) ?? [];
    expect(gaps).toHaveLength(1);
    expect(gaps[0]).toBeGreaterThanOrEqual(AT + 10 * DAY);
    expect(gaps[0]).toBeLessThan(AT + 11 * DAY);
    expect(points?.times).toEqual([...(points?.times ?? [])].sort((a, b) => a - b));
    expect(points?.min.length).toBe(points?.times.length);
  }
});

test('history at five minutes beside live data at five seconds is one line, and a hole in either is a gap', async () => {
  const first = AT + 100 * DAY;
  const history = Array.from({ length: 100 }, (_, i) => first + i * 5 * MINUTE);
  const live = Array.from({ length: 400 }, (_, i) => (history.at(-1) ?? 0) + MINUTE + i * 5000);
  const holes = [...history.slice(40, 60), ...live.slice(100, 190)];
  const times = [...history, ...live];
  const insert = (device: string, some: number[]) =>
    store.insert(
      [
        block(
          'mixed',
          { power: 'decimal' },
          some.map((at, i) => [1 + i, at, 1]),
          { device },
        ),
      ],
      `mixed ${device}`,
    );
  await insert(DEVICE, times);
  await insert(
    OTHER_DEVICE,
    times.filter((at) => !holes.includes(at)),
  );
  for (const maxPoints of [2000, 300]) {
    const [line, broken] = await store.series(
      'hill',
      ALL_DEVICES,
      seriesQuery.parse({
        from: first,
        to: (live.at(-1) ?? 0) + 1,
        maxPoints,
        series: [DEVICE, OTHER_DEVICE].map((device) => ({ ...series('power', device), table: 'mixed' })),
      }),
    );
    expect(line?.avg).not.toContain(null);
    expect(broken?.avg.filter((value) => value === null)).toHaveLength(2);
  }
});

test('a field that every third event has is no field of gaps', async () => {
  const [some, power] = await read(AT, AT + DAY, 2000, 'some', 'power');
  expect(some?.times).toHaveLength(96);
  expect(some?.avg).not.toContain(null);
  expect(power?.times).toHaveLength(288);
});

test('series of several devices, and of nothing, keep their order', async () => {
  const points = await store.series(
    'hill',
    ALL_DEVICES,
    seriesQuery.parse({
      from: AT,
      to: AT + DAY,
      maxPoints: 100,
      series: [
        series('power', OTHER_DEVICE),
        series('power'),
        series('power', '11111111-9dc0-41d1-b245-5ffdce74fad2'),
      ],
    }),
  );
  expect(points.map(({ times }) => times.length)).toEqual([1, 96, 0]);
  expect(points[0]?.avg).toEqual([7]);
});

test('what cannot be charted is refused by name', async () => {
  await expect(read(AT, AT + DAY, 100, 'text')).rejects.toMatchObject({ error: 'table.field_unknown' });
  await expect(read(AT, AT + DAY, 100, 'nothing')).rejects.toMatchObject({ error: 'table.field_unknown' });
  await expect(
    store.series(
      'valley',
      ALL_DEVICES,
      seriesQuery.parse({
        from: AT,
        to: AT + DAY,
        maxPoints: 100,
        series: [series('power')],
      }),
    ),
  ).rejects.toMatchObject({ error: 'table.not_found' });
});

/** The rule in plain words: each value counts until the next one, except before a gap. */
function weighted(values: readonly (readonly [at: number, value: number])[]) {
  const pauses = values.slice(1).map(([at], i) => at - (values[i]?.[0] ?? 0));
  const isGap = gapsIn(pauses);
  let [area, ms] = [0, 0];
  pauses.forEach((pause, i) => {
    if (isGap[i]) return;
    area += (values[i]?.[1] ?? 0) * pause;
    ms += pause;
  });
  return area / ms;
}

const pause = fc.oneof(fc.constantFrom(5000, 5000, 60_000, 300_000), fc.integer({ min: 1, max: 90_000_000 }));
const stream = fc.array(fc.tuple(pause, fc.double({ min: -50, max: 900, noNaN: true })), {
  minLength: 2,
  maxLength: 60,
});

test('the average of a range is weighted by time, and the same at every width', async () => {
  const streams = fc.sample(stream, 40).map((steps) => {
    let at = AT + 200 * DAY;
    return steps.map(([pauseMs, value]): [number, number] => {
      at += pauseMs;
      return [at, value];
    });
  });
  const blocks = streams.map((rows, n) =>
    block(
      'weighted',
      { power: 'decimal' },
      rows.map(([at, value], i): BatchRow => [1 + i, at, value]),
      { source: `inv-${n}` },
    ),
  );
  await store.insert(blocks, 'weighted');
  const ask = async (maxPoints: number) => {
    const keys = streams.map((_, n) => ({ ...series('power'), table: 'weighted', source: `inv-${n}` }));
    const query = { from: AT, to: AT + 400 * DAY, maxPoints, series: keys };
    return (await store.series('hill', ALL_DEVICES, seriesQuery.parse(query))).map(({ stats }) => stats);
  };
  const [all, few, fewer] = [await ask(10_000), await ask(33), await ask(10)];
  streams.forEach((rows, n) => {
    const told = { streams: rows, is: all[n] };
    expect(all[n]?.avg, JSON.stringify(told)).toBeCloseTo(weighted(rows), 6);
    for (const other of [few[n], fewer[n]]) {
      expect(other?.avg).toBeCloseTo(all[n]?.avg ?? Number.NaN, 6);
      expect({ ...other, avg: 0 }).toEqual({ ...all[n], avg: 0 });
    }
  });
});

test('a steady stream with a dark day has one average, however it is cut', async () => {
  const rows = Array.from({ length: 30 * 288 }, (_, i) => [AT + i * 5 * MINUTE, i] as const).filter(
    ([at]) => at < AT + 10 * DAY || at >= AT + 11 * DAY,
  );
  for (const maxPoints of [10, 240, 700, 10_000]) {
    const [points] = await read(AT, AT + 30 * DAY, maxPoints, 'power');
    expect(points?.stats).toMatchObject({ count: rows.length, min: 0, max: 8639, last: 8639 });
    expect(points?.stats.avg).toBeCloseTo(weighted(rows), 6);
  }
  const tally = (at: number): Tally => {
    const one = {
      at,
      n: 12,
      min: 1,
      mean: 1 + at / DAY,
      max: 9,
      first: at,
      last: { at: at + 55 * MINUTE, value: 5 },
    };
    return { ...one, middle: at + 27.5 * MINUTE, variance: (5 * MINUTE) ** 2 * (143 / 12) };
  };
  const hours = Array.from({ length: 48 }, (_, hour) => tally(hour * 60 * MINUTE)).toSpliced(20, 4);
  const halves = joined(weigh(hours.slice(0, 30)) ?? [], weigh(hours.slice(30)) ?? []);
  expect(statsOf(halves)).toEqual(statsOf(weigh(hours) ?? []));
});

test('five-second values of one hour do not outweigh the five-minute values of a day', async () => {
  const first = AT + 300 * DAY;
  const day = Array.from({ length: 276 }, (_, i): BatchRow => [1 + i, first + i * 5 * MINUTE, 1]);
  const hour = Array.from(
    { length: 720 },
    (_, i): BatchRow => [1000 + i, first + 23 * 12 * 5 * MINUTE + i * 5000, 25],
  );
  await store.insert([block('dense', { power: 'decimal' }, [...day, ...hour])], 'dense');
  const key = { ...series('power'), table: 'dense' };
  for (const maxPoints of [10, 400, 10_000]) {
    const query = { from: first, to: first + DAY, maxPoints, series: [key] };
    const [points] = await store.series('hill', ALL_DEVICES, seriesQuery.parse(query));
    // 23 hours of 1 and one of 25; the plain average of these values is 18.
    expect(points?.stats.avg).toBeCloseTo(2, 1);
  }
});

test('values of one instant are one, the later one, and a lone value is its own average', async () => {
  const at = AT + 400 * DAY;
  const rows: BatchRow[] = [
    [1, at, 10],
    [2, at + MINUTE, 99],
    [3, at + MINUTE, 20],
    [4, at + 2 * MINUTE, 30],
  ];
  await store.insert([block('twice', { power: 'decimal' }, rows)], 'twice');
  const ask = async (from: number, to: number) => {
    const query = { from, to, maxPoints: 10, series: [{ ...series('power'), table: 'twice' }] };
    return (await store.series('hill', ALL_DEVICES, seriesQuery.parse(query)))[0];
  };
  expect((await ask(at, at + DAY))?.stats).toEqual({ count: 3, min: 10, avg: 15, max: 30, last: 30 });
  expect((await ask(at + 2 * MINUTE, at + DAY))?.stats).toEqual({
    count: 1,
    min: 30,
    avg: 30,
    max: 30,
    last: 30,
  });
  expect((await ask(at - DAY, at))?.stats).toEqual({ count: 0, min: null, avg: null, max: null, last: null });
});

test('of a stream with a few breaks only their surroundings are looked at, and nothing else changes', async () => {
  const first = AT + 500 * DAY;
  const every = (from: number, to: number, ms: number) =>
    Array.from({ length: (to - from) / ms }, (_, i) => first + from + i * ms);
  const times = [
    ...every(0, 9.3 * DAY, 5 * MINUTE),
    // A night without anything, an hour of live values, two values alone, and ten days that end in the middle of one.
    ...every(9.7 * DAY, 20 * DAY, 5 * MINUTE),
    ...every(20 * DAY, 20 * DAY + 60 * MINUTE, 10_000),
    ...every(20 * DAY + 60 * MINUTE, 25 * DAY, 5 * MINUTE),
    ...every(25.4 * DAY, 25.4 * DAY + 2 * MINUTE, MINUTE),
    ...every(26 * DAY, 35.55 * DAY, 5 * MINUTE),
  ];
  const rows = times.map((at, i) => [at, (i * 37) % 101] as const);
  await store.insert(
    [
      block(
        'broken',
        { power: 'decimal' },
        rows.map(([at, value], i): BatchRow => [1 + i, at, value]),
      ),
    ],
    'broken',
  );
  const key = { ...series('power'), table: 'broken' };
  const query = { from: first, to: first + 40 * DAY, maxPoints: 50, series: [key] };
  const [points] = await store.series('hill', ALL_DEVICES, seriesQuery.parse(query));
  expect(points?.stats.count).toBe(rows.length);
  expect(points?.stats.avg).toBeCloseTo(weighted(rows), 6);
  const pauses = rows.slice(1).map(([at], i) => at - (rows[i]?.[0] ?? 0));
  const isGap = gapsIn(pauses);
  for (const [i, at] of (points?.times ?? []).entries()) {
    if (points?.avg[i] === null) continue;
    let [area, ms] = [0, 0];
    rows.forEach(([time, value], k) => {
      if (time < at || time >= at + DAY || k === rows.length - 1 || isGap[k]) return;
      area += value * (pauses[k] ?? 0);
      ms += pauses[k] ?? 0;
    });
    expect(points?.avg[i], new Date(at).toISOString()).toBeCloseTo(area / ms, 4);
  }
});

test('of a counter that is read every third day the day between has its part', async () => {
  const rows = [0, 1, 2].map((i): BatchRow => [i + 1, AT + 3 * i * DAY, 100 + 72 * i]);
  await store.insert([block('sparse', { power: 'decimal' }, rows)], 'sparse');
  for (const day of [1, 4]) {
    const asked = { from: AT + day * DAY, to: AT + (day + 1) * DAY, maxPoints: 10, function: 'difference' };
    const [points] = await store.series(
      'hill',
      ALL_DEVICES,
      seriesQuery.parse({ ...asked, series: [{ ...series('power'), table: 'sparse' }] }),
    );
    expect(points?.avg).toHaveLength(8);
    expect(points?.avg.reduce((sum: number, one) => sum + (one ?? 0), 0)).toBe(24);
  }
});
