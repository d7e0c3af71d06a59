import { afterAll, beforeAll, expect, test } from 'vitest';
import { block } from '../telemetry/telemetry.test-store.ts';
import { startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

const AT = Date.UTC(2026, 4, 1, 12);
let cloud: TestCloud;
let owner = '';

/** Minutes and values: seven changes, and three times less than before. */
const LEVEL: [minute: number, value: number][] = [
  [0, 10],
  [1, 10],
  [2, 14],
  [4, 3],
  [5, 3],
  [7, 9],
  [8, 2],
  [9, 6],
  [10, 5],
  [12, 20],
];
/** A counter of many digits at odd times, which begins again now and then. */
const COUNTER: [minute: number, value: number][] = Array.from({ length: 200 }, (_, i) => {
  const odd = ((i * 7919) % 97) / 97;
  return [i * 0.7 + odd * 0.5, 9_000_000_000 + (i % 37) * 100 + odd * 10];
});

beforeAll(async () => {
  cloud = await startTestCloud();
  owner = await cloud.owner();
  const { body } = await cloud.call('POST', 'devices/main', { token: owner, body: { name: 'Tank' } });
  const of = { workgroup: 'main', device: body.id, source: 'tank' };
  const rows = (samples: typeof LEVEL, from: number) =>
    samples.map(([minute, value], i): [number, number, number] => [
      from + i,
      Math.round(AT + minute * 60_000),
      value,
    ]);
  await cloud.cloud.features.telemetry
    .asSystem('ingest')
    .insert(
      [
        block('tank', { level: 'decimal' }, rows(LEVEL, 1), of),
        block('counter', { total: 'decimal' }, rows(COUNTER, 1000), of),
      ],
      'prometheus',
    );
});
afterAll(() => cloud.stop());

const asked = async (path: string, given: Record<string, string>) => {
  const query = new URLSearchParams(given);
  const { status, body } = await cloud.call('GET', `prometheus/main/api/v1/${path}?${query}`, {
    token: owner,
  });
  return { status, body };
};
const seconds = (minute: number) => AT / 1000 + minute * 60;
const now = async (query: string, minute: number): Promise<number | undefined> => {
  const { status, body } = await asked('query', { query, time: `${seconds(minute)}` });
  expect(status, body.error).toBe(200);
  const [line] = body.data.result;
  expect(line?.metric.__name__).toBeUndefined();
  return line && Number(line.value[1].replace('Inf', 'Infinity'));
};

test.each([
  // 5 and 20 in (9, 12]: the fall from 6 to 5 lies before it.
  ['changes(level[3m])', 12, 1],
  ['changes(level[15m])', 12, 7],
  ['changes(level[1m])', 1, 0],
  ['resets(level[15m])', 12, 3],
  // 3, 3, 9, 2, 6 in (3, 9]: the fall from 14 to 3 lies before it.
  ['resets(level[6m])', 9, 1],
  ['changes(level[6m])', 9, 3],
  // 2, 3, 3, 6, 9 in order.
  ['quantile_over_time(0.5, level[6m])', 9, 3],
  ['quantile_over_time(0.75, level[6m])', 9, 6],
  ['quantile_over_time(0.9, level[6m])', 9, 7.8],
  ['quantile_over_time(0, level[6m])', 9, 2],
  ['quantile_over_time(1, level[6m])', 9, 9],
  ['quantile_over_time(2, level[6m])', 9, Infinity],
  ['quantile_over_time(-1, level[6m])', 9, -Infinity],
  ['quantile_over_time(scalar(vector(0.5)), level[6m])', 9, 3],
  // Through (9, 6), (10, 5) and (12, 20): both means are 31/3, so it is (71/3) / (14/3) a minute.
  ['deriv(level[4m])', 12, 71 / 14 / 60],
  // Two equal values, and a single one.
  ['deriv(level[2m])', 5, 0],
  ['deriv(level[1m])', 12, undefined],
  ['deriv(level[1m])', 60, undefined],
  // As measured ones at 8, 10 and 12 minutes: 2, 5, 20.
  ['deriv(level[5m:2m])', 12, 18 / 240],
  ['changes(level[5m:2m])', 12, 2],
  ['resets(sum(level)[12m:4m])', 12, 1],
  ['quantile_over_time(0.5, level[5m:2m])', 12, 5],
])('%s at minute %i is %d', async (query, minute, wanted) => {
  const value = await now(query, minute);
  if (wanted === undefined || !Number.isFinite(wanted)) expect(value).toBe(wanted);
  else expect(value).toBeCloseTo(wanted, 12);
});

type Of = (samples: [at: number, value: number][]) => number | undefined;
/** As Prometheus 3 has them in functions.go and quantile.go, sample by sample. */
const REFERENCE: Record<string, Of> = {
  'changes(total[W])': (all) => all.filter(([, v], i) => i > 0 && v !== all[i - 1]?.[1]).length,
  'resets(total[W])': (all) => all.filter(([, v], i) => i > 0 && v < (all[i - 1]?.[1] ?? 0)).length,
  'quantile_over_time(0.3, total[W])': (all) => {
    const sorted = all.map(([, value]) => value).sort((a, b) => a - b);
    const rank = 0.3 * (sorted.length - 1);
    const [low, weight] = [Math.floor(rank), rank - Math.floor(rank)];
    return (sorted[low] ?? 0) * (1 - weight) + (sorted[Math.min(sorted.length - 1, low + 1)] ?? 0) * weight;
  },
  'deriv(total[W])': (all) => {
    if (all.length < 2) return undefined;
    const [at = 0, first = 0] = all[0] ?? [];
    const sums = { x: 0, y: 0, xy: 0, xx: 0 };
    for (const [ms, value] of all) {
      const [x, y] = [(ms - at) / 1000, value - first];
      Object.assign(sums, { x: sums.x + x, y: sums.y + y, xy: sums.xy + x * y, xx: sums.xx + x * x });
    }
    const n = all.length;
    return (sums.xy - (sums.x * sums.y) / n) / (sums.xx - (sums.x * sums.x) / n);
  },
};

test.each(
  Object.entries(REFERENCE).flatMap(([query, of]) =>
    // Windows longer and shorter than their steps, and such that are no multiple of them.
    [
      [10, 7],
      [5, 13],
      [30, 2],
      [6, 3],
    ].map(([window = 0, step = 0]) => [query, window, step, of] as const),
  ),
)(
  '%s over %i minutes every %i minutes is what Prometheus makes of the samples',
  async (query, window, step, of) => {
    const { body } = await asked('query_range', {
      query: query.replace('W', `${window}m`),
      start: `${seconds(20)}`,
      end: `${seconds(150)}`,
      step: `${step * 60}`,
    });
    const found = new Map<number, number>(
      body.data.result[0].values.map(([at, value]: [number, string]) => [at, Number(value)]),
    );
    const samples = COUNTER.map(([minute, value]): [number, number] => [
      Math.round(AT + minute * 60_000),
      value,
    ]);
    for (let minute = 20; minute <= 150; minute += step) {
      const to = AT + minute * 60_000;
      const inside = samples
        .map(([at, value]): [number, number] => [Math.trunc(at), value])
        .filter(([at]) => at > to - window * 60_000 && at <= to);
      const wanted = inside.length === 0 ? undefined : of(inside);
      const value = found.get(seconds(minute));
      if (wanted === undefined) expect(value).toBeUndefined();
      else
        expect(Math.abs((value ?? Number.NaN) - wanted)).toBeLessThanOrEqual(
          1e-6 * Math.max(1, Math.abs(wanted)),
        );
    }
  },
);

test.each([
  ['quantile_over_time(level[5m])', 'expected 2 argument(s) in call to "quantile_over_time", got 1'],
  ['quantile_over_time(0.5, level)', 'expected type range vector in call to function "quantile_over_time"'],
  ['deriv(level)', 'expected type range vector in call to function "deriv"'],
  ['changes(level[5m], 2)', 'expected type range vector in call to function "changes"'],
])('%s is refused by name', async (query, fault) => {
  const { status, body } = await asked('query', { query });
  expect([status, body.error]).toEqual([400, expect.stringContaining(fault)]);
});
