import type { FieldFilter, SearchFilter } from '@albedo/contract/telemetry/search.schema';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ALL_DEVICES } from '../access/device-scope.ts';
import { AppError } from '../errors/app-error.ts';
import { fits, increases, type ModelEvent, PLAIN, startOf, stretches } from './telemetry.test-model.ts';
import { block, DEVICE, OTHER_DEVICE, openTestStore, query } from './telemetry.test-store.ts';

/** More of them find more: PROPERTY_RUNS=500. */
const RUNS = Number(process.env.PROPERTY_RUNS ?? (process.env.ALBEDO_TEST_LONG ? 100 : 15));
const MINUTE = 60_000;

/** Clocks change around these, months, leap days and years end. */
const EDGES = [
  '2026-03-29T01:00Z', // Rome, to summer time
  '2026-10-25T01:00Z', // Rome, back
  '2026-03-08T07:00Z', // New York
  '2026-04-04T15:00Z', // Lord Howe, by half an hour
  '2026-04-23T22:00Z', // Cairo, at midnight
  '2028-02-29T00:00Z',
  '2026-12-31T23:00Z',
  '2024-02-29T12:00Z',
].map((text) => Date.parse(text));
const ZONES = [
  'UTC',
  'Europe/Rome',
  'America/New_York',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Africa/Cairo',
  'Pacific/Kiritimati',
];
const BESIDE = 24 * 60 * MINUTE;
const FAR = 31 * BESIDE;
const INTERVALS = ['30m', '1h', '6h', '12h', '1d', '1w', '1M', '1y'];

const orNull = <T>(some: fc.Arbitrary<T>) => fc.option(some, { nil: null, freq: 4 });
const number = fc.integer({ min: -400, max: 400 }).map((n) => n / 4);
const text = fc.constantFrom('', 'a', 'A', 'ab%', 'a_b', 'back\\slash', "it's", 'ü');
const at = fc
  .tuple(fc.constantFrom(...EDGES), fc.integer({ min: -36 * 60, max: 36 * 60 }))
  .map(([edge, minutes]) => edge + minutes * MINUTE);

const event = fc.record({
  device: fc.constantFrom(DEVICE, OTHER_DEVICE),
  source: fc.constantFrom('one', 'two'),
  at,
  n: orNull(number),
  b: orNull(fc.constantFrom<0 | 1>(0, 1)),
  d: orNull(at),
  s: orNull(text),
});

let engine: Awaited<ReturnType<typeof openTestStore>>;
let events: ModelEvent[];
beforeAll(async () => {
  engine = await openTestStore();
  const seed = Number(process.env.PROPERTY_SEED ?? 20_260_329);
  const [made = []] = fc.sample(
    fc.uniqueArray(event, { minLength: 120, maxLength: 120, selector: (one) => one.at }),
    { seed, numRuns: 1 },
  );
  events = made.map((one, i) => ({ ...one, id: i + 1 })).sort((a, b) => a.at - b.at);
  const fields = { n: 'decimal', b: 'bool', d: 'date', s: 'keyword' } as const;
  const blocks = [...Map.groupBy(events, ({ device, source }) => `${device} ${source}`).values()].map(
    (all) => {
      const { device, source } = all[0] as ModelEvent;
      const rows = all.map(
        ({ id, at: time, n, b, d, s }) =>
          [id, time, n, b, d, s] as [number, number, ...(number | string | null)[]],
      );
      return block('random', fields, rows, { device, source });
    },
  );
  await engine.store.insert(blocks, 'random');
});
afterAll(() => engine?.stop());

const comparison = fc.constantFrom<FieldFilter['operator']>('=', '!=', '>', '>=', '<', '<=');
const listing = fc.constantFrom<FieldFilter['operator']>('IN', 'NOT IN');
const existing = fc.constantFrom<FieldFilter['operator']>('EXISTS', 'NOT EXISTS');
const valuesOf = {
  n: fc.oneof(number, number.map(String)),
  d: fc.oneof(
    at,
    at.map((ms) => new Date(ms).toISOString()),
  ),
  s: text,
};
const fieldFilter: fc.Arbitrary<FieldFilter> = fc.oneof(
  ...(['n', 'd', 's'] as const).flatMap((field) => [
    fc.record({ field: fc.constant(field), operator: comparison, value: valuesOf[field] }),
    fc.record({
      field: fc.constant(field),
      operator: listing,
      value: fc.array<string | number>(valuesOf[field], { minLength: 1, maxLength: 4 }),
    }),
  ]),
  fc.record({
    field: fc.constant('b'),
    operator: fc.constantFrom<FieldFilter['operator']>('=', '!='),
    value: fc.constantFrom<FieldFilter['value'] & (string | number | boolean)>(true, false, 'true', 0, 1),
  }),
  fc.record({ field: fc.constantFrom('n', 'b', 'd', 's'), operator: existing }),
  fc.record({
    field: fc.constant('s'),
    operator: fc.constant<FieldFilter['operator']>('LIKE'),
    value: fc.constantFrom('a*', '*b*', '*%', 'a_b', '*\\*', '*', "*'s", 'Ü'),
  }),
);
const { filter } = fc.letrec<{ filter: SearchFilter }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 2, depthSize: 'small' },
    fieldFilter,
    fc.record({
      operator: fc.constantFrom<'AND' | 'OR'>('AND', 'OR'),
      filters: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }),
    }),
  ),
}));

const demands = fc.record({
  filters: fc.array(filter, { maxLength: 2 }),
  filterOperator: fc.constantFrom<'AND' | 'OR'>('AND', 'OR'),
  timezone: fc.constantFrom(...ZONES),
  timeframe: orNull(fc.tuple(at, at).filter(([a, b]) => a !== b)),
});
type Demands = typeof demands extends fc.Arbitrary<infer T> ? T : never;

const asked = ({ timeframe, ...rest }: Demands) => ({
  ...rest,
  ...(timeframe === null ? {} : { timeframe: { from: Math.min(...timeframe), to: Math.max(...timeframe) } }),
});

/** Of a timeframe, and of so much before and after it, ms. */
function found({ filters, filterOperator, timeframe }: Demands, beside = 0): ModelEvent[] {
  return events
    .filter(
      ({ at: time }) =>
        timeframe === null ||
        (time >= Math.min(...timeframe) - beside && time < Math.max(...timeframe) + beside),
    )
    .filter((one) => filters.length === 0 || fits(one, { operator: filterOperator, filters }));
}

test('a search finds what a plain loop over the events finds, in its order', async () => {
  const sorting = fc.record({
    field: fc.constantFrom('event_time', 'n', 's', 'd', 'msg_id'),
    isFalling: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(demands, sorting, async (given, { field, isFalling }) => {
      const sort = `${isFalling ? '-' : ''}${field}`;
      const result = await engine.store.search(
        'hill',
        ALL_DEVICES,
        'random',
        query({ ...asked(given), sort, rows: 40 }),
      );
      const expected = found(given).toSorted((a, b) => inOrder(a, b, field, isFalling));
      expect(result.records.map(({ msg_id }) => msg_id)).toEqual(expected.slice(0, 40).map(({ id }) => id));
      expect(result.totalRecords).toBe(expected.length);
    }),
    { numRuns: RUNS },
  );
});

function inOrder(a: ModelEvent, b: ModelEvent, field: string, isFalling: boolean): number {
  const name = { event_time: 'at', msg_id: 'id' }[field] ?? field;
  const [x, y] = [a[name as 'n'], b[name as 'n']] as unknown as [string | null, string | null];
  const sign = isFalling ? -1 : 1;
  if (x !== y) {
    if (x === null || y === null) return x === null ? 1 : -1;
    return (bytes(x) < bytes(y) ? -1 : 1) * sign;
  }
  return (a.at - b.at) * sign;
}

const bytes = (value: string | number): string | number =>
  typeof value === 'string' ? Buffer.from(value).toString('latin1') : value;

/** Without it a value would hold for years of half hours. */
const maxGapOf = (interval: string | null): number | null =>
  interval?.endsWith('m') || interval?.endsWith('h') ? 720 * MINUTE : null;

const OVER_TIME = ['difference', 'timeWeightedAverage', 'integral'];

test('aggregations calculate what a plain loop calculates, cut where the clocks of the zone say', async () => {
  const aggregation = fc.record({
    type: fc.constantFrom(...Object.keys(PLAIN), ...OVER_TIME),
    interval: orNull(fc.constantFrom(...INTERVALS)),
    bySource: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(demands, aggregation, async (given, { type, interval, bySource }) => {
      const groupBy = [
        ...(bySource ? ['source'] : []),
        ...(interval === null ? [] : [{ field: 'event_time', interval }]),
      ];
      const agg = { name: 'a', type, field: 'n', groupBy, maxGapMs: maxGapOf(interval) };
      const expected = modelled(given, type, interval, bySource);
      const asking = query({ ...asked(given), rows: 0, aggs: [agg] });
      const result = await engine.store
        .search('hill', ALL_DEVICES, 'random', asking)
        .catch((error: unknown) => {
          // Hours of years without a reading have a share of what was counted over them: more than one search answers.
          if (type === 'difference' && error instanceof AppError && error.error === 'search.too_much')
            return null;
          throw error;
        });
      if (result === null) return;
      const flat = flatten(result.aggregations.a?.buckets as unknown as Bucket[], groupBy.length);
      if (groupBy.length === 0 && expected.size === 0) return;
      // Half hours of years without a reading have a share of what was counted over them.
      if (type === 'difference' && interval?.endsWith('m') && given.timeframe === null) return;
      expect([...flat.keys()].sort()).toEqual([...expected.keys()].sort());
      for (const [key, { count, value }] of expected) {
        expect({ key, count: flat.get(key)?.count }).toEqual({ key, count });
        if (value === null) expect(flat.get(key)?.value).toBeNull();
        else expect(flat.get(key)?.value).toBeCloseTo(value, 6);
      }
    }),
    { numRuns: 2 * RUNS },
  );
});

interface Bucket {
  key: unknown;
  doc_count: number;
  a: { value: number | null };
  buckets?: Bucket[];
}
type Flat = Map<string, { count: number; value: number | null }>;

function flatten(buckets: Bucket[], depth: number): Flat {
  const flat: Flat = new Map();
  const walk = (some: Bucket[], keys: unknown[]): void => {
    for (const { key, doc_count: count, a, buckets: below } of some) {
      if (below) walk(below, [...keys, key]);
      else flat.set(JSON.stringify(depth === 0 ? [] : [...keys, key]), { count, value: a.value });
    }
  };
  walk(buckets, []);
  return flat;
}

/** The readings of a range and of a day at either side; where there are none, those of a day around the nearest one. */
function nearOf(all: readonly { at: number; v: number }[], { from, to }: { from: number; to: number }) {
  const near = all.filter(({ at: time }) => time >= from - BESIDE && time < to + BESIDE);
  const before = all.filter(({ at: time }) => time < from - BESIDE);
  const after = to + BESIDE > Date.now() ? [] : all.filter(({ at: time }) => time >= to + BESIDE);
  const [last, next] = [before.at(-1)?.at ?? 0, after[0]?.at ?? 0];
  const hasEarlier = (near[0]?.at ?? Number.POSITIVE_INFINITY) <= from;
  const hasLater = (near.at(-1)?.at ?? Number.NEGATIVE_INFINITY) >= to;
  return [
    ...(hasEarlier ? [] : before.filter(({ at: time }) => time > last - BESIDE)),
    ...near,
    ...(hasLater ? [] : after.filter(({ at: time }) => time < next + BESIDE)),
  ];
}

function modelled(given: Demands, type: string, interval: string | null, bySource: boolean): Flat {
  const { timezone: zone, timeframe } = given;
  const all = found(given);
  const keyOf = (source: string, time: number) =>
    JSON.stringify([
      ...(bySource ? [source] : []),
      ...(interval === null ? [] : [startOf(time, interval, zone)]),
    ]);
  const flat: Flat = new Map();
  const groups = Map.groupBy(all, (one) => keyOf(one.source, one.at));
  for (const [key, members] of groups) {
    const values = members.flatMap(({ n, at: time }) => (n === null ? [] : [{ at: time, v: n }]));
    const plain = (PLAIN[OVER_TIME.includes(type) ? 'average' : type] as (typeof PLAIN)[string])(values);
    const alone = type === 'integral' && plain !== null ? 0 : plain;
    flat.set(key, { count: members.length, value: type === 'difference' ? null : alone });
  }
  if (!OVER_TIME.includes(type)) return flat;
  const sums = new Map<string, { area: number; ms: number }>();
  const add = (key: string, area: number, ms: number) => {
    const known = sums.get(key) ?? { area: 0, ms: 0 };
    sums.set(key, { area: known.area + area, ms: known.ms + ms });
  };
  const isDifference = type === 'difference';
  const of = isDifference ? found(given, BESIDE + FAR) : all;
  const range = {
    from: timeframe === null ? Number.NEGATIVE_INFINITY : Math.min(...timeframe),
    to: timeframe === null ? Number.POSITIVE_INFINITY : Math.max(...timeframe),
  };
  for (const stream of Map.groupBy(of, ({ device, source }) => `${device} ${source}`).values()) {
    const source = stream[0]?.source ?? '';
    const read = stream.flatMap(({ n, at: time }) => (n === null ? [] : [{ at: time, v: n }]));
    const values = isDifference ? nearOf(read, range) : read;
    if (isDifference) {
      for (const { at: time } of values)
        if (time >= range.from && time < range.to) add(keyOf(source, time), 0, 1);
      for (const { at: time, v } of increases(values, interval, zone, range)) add(keyOf(source, time), v, 1);
    } else
      for (const { at: time, v, ms } of stretches(values, interval, zone, maxGapOf(interval)))
        add(keyOf(source, time), v * ms, ms);
  }
  for (const [key, { area, ms }] of sums) {
    const value = type === 'difference' ? area : type === 'integral' ? area / 3_600_000 : area / ms;
    flat.set(key, { count: flat.get(key)?.count ?? 0, value });
  }
  return flat;
}
