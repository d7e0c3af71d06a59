import type { FieldFilter, SearchFilter } from '@albedo/contract/telemetry/search.schema';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ALL_DEVICES } from '../access/device-scope.ts';
import type { TelemetryStore } from './telemetry.store.ts';
import { block, DEVICE, OTHER_DEVICE, openTestStore, query } from './telemetry.test-store.ts';

let engine: Awaited<ReturnType<typeof openTestStore>>;
let store: TelemetryStore;

/** Noon in Rome, the day before summer time begins. */
const AT = Date.UTC(2026, 2, 28, 11);
const HOUR = 3_600_000;
const fields = { power: 'decimal', state: 'keyword', on: 'bool', read: 'date' } as const;

beforeAll(async () => {
  engine = await openTestStore();
  store = engine.store;
  await store.insert(
    [
      block('plant', fields, [
        [1, AT, 10, 'Running', 1, AT],
        [2, AT + HOUR, 20, 'Running 100%', 1, AT + HOUR],
        [3, AT + 2 * HOUR, 30, 'fault_7', 0, null],
        [4, AT + 3 * HOUR, null, null, null, null],
      ]),
      block('plant', fields, [[1, AT + 30, 100, 'Running', 1, AT]], {
        device: OTHER_DEVICE,
        source: 'inv-02',
      }),
    ],
    'plant',
  );
});
afterAll(() => engine?.stop());

const ids = async (filters: SearchFilter[], rest: object = {}) =>
  (
    await store.search('hill', ALL_DEVICES, 'plant', query({ filters, sort: 'event_time', ...rest }))
  ).records.map(({ device, msg_id }) => (device === DEVICE ? msg_id : `other ${msg_id}`));

describe('filters', () => {
  const one = (field: string, operator: FieldFilter['operator'], value?: FieldFilter['value']) =>
    ids([{ field, operator, ...(value === undefined ? {} : { value }) }]);

  test('numbers compare as numbers, also when they are written as texts', async () => {
    expect(await one('power', '=', '20')).toEqual([2]);
    expect(await one('power', '>', 20)).toEqual(['other 1', 3]);
    expect(await one('power', '<=', '20')).toEqual([1, 2]);
    expect(await one('power', 'IN', [10, '30'])).toEqual([1, 3]);
    expect(await one('on', '=', true)).toEqual([1, 'other 1', 2]);
    expect(await one('on', '=', 'false')).toEqual([3]);
  });

  test('an event without the field fits what is negative, and nothing else', async () => {
    expect(await one('power', '!=', 10)).toEqual(['other 1', 2, 3, 4]);
    expect(await one('power', 'NOT IN', [10, 20])).toEqual(['other 1', 3, 4]);
    expect(await one('power', 'EXISTS')).toEqual([1, 'other 1', 2, 3]);
    expect(await one('state', 'NOT EXISTS')).toEqual([4]);
  });

  test('texts: a star is anything, other signs are themselves', async () => {
    expect(await one('state', 'LIKE', 'run*')).toEqual([1, 'other 1', 2]);
    expect(await one('state', 'LIKE', '*100%')).toEqual([2]);
    expect(await one('state', 'LIKE', 'fault_*')).toEqual([3]);
    expect(await one('state', 'LIKE', 'faultx*')).toEqual([]);
    expect(await one('state', '=', 'running')).toEqual([]);
    expect(await one('state', 'IN', ['Running', 'fault_7'])).toEqual([1, 'other 1', 3]);
    expect(await one('power', 'LIKE', '1*')).toEqual([1, 'other 1']);
  });

  test('instants as epoch ms and as ISO 8601, of the event and of its own date fields', async () => {
    expect(await one('event_time', '>=', '2026-03-28T13:00:00Z')).toEqual([3, 4]);
    expect(await one('event_time', '<', AT + 31)).toEqual([1, 'other 1']);
    expect(await one('read', '>', '2026-03-28T11:30:00.000Z')).toEqual([2]);
    expect(await ids([], { timeframe: { from: AT, to: AT + HOUR } })).toEqual([1, 'other 1']);
    expect(await ids([], { timeframe: { from: AT, to: AT + HOUR }, dateField: 'read' })).toEqual([
      1,
      'other 1',
    ]);
  });

  test('devices and sources', async () => {
    expect(await one('device', 'IN', [OTHER_DEVICE, 'no uuid'])).toEqual(['other 1']);
    expect(await one('device', '!=', OTHER_DEVICE)).toEqual([1, 2, 3, 4]);
    expect(await one('device', 'LIKE', '9a44*')).toEqual(['other 1']);
    expect(await one('source', '=', 'inv-02')).toEqual(['other 1']);
  });

  test('many values at once', async () => {
    const devices = Array.from(
      { length: 2000 },
      (_, i) => `${String(i).padStart(8, '0')}-9dc0-41d1-b245-5ffdce74fad2`,
    );
    expect(await one('device', 'IN', [...devices, DEVICE])).toEqual([1, 2, 3, 4]);
  });

  test('an unknown field and a filter without a value are refused by name', async () => {
    await expect(one('nothing', '=', 1)).rejects.toMatchObject({
      error: 'table.field_unknown',
      facts: { field: 'nothing' },
    });
    await expect(one('power', '=')).rejects.toThrow('issue.required');
    await expect(one('power', '>', [1, 2])).rejects.toThrow('The operator > needs a single value.');
  });

  test.each<[string, FieldFilter['value'], string]>([
    ['power', 'many', 'issue.filter_number'],
    ['power', '0x10', 'issue.filter_number'],
    ['power', true, 'issue.filter_number'],
    ['power', '', 'issue.filter_number'],
    ['on', 'yes', 'issue.filter_bool'],
    ['on', 2, 'issue.filter_bool'],
    ['state', 5, 'issue.filter_text'],
    ['source', true, 'issue.filter_text'],
    ['read', '1 May 2026', 'issue.filter_date'],
    ['event_time', '2026', 'issue.filter_date'],
    ['event_time', '05/01/2026', 'issue.filter_date'],
    ['event_time', '2026-02-30', 'issue.filter_date'],
    ['event_time', 1e300, 'issue.filter_date'],
  ])(
    'a value that the field %s cannot hold (%j) is refused by the place where it stands',
    async (field, value, issue) => {
      const filters: SearchFilter[] = [
        { field: 'device', operator: 'EXISTS' },
        { operator: 'OR', filters: [{ field, operator: '>=', value: value as string }] },
      ];
      await expect(ids(filters)).rejects.toMatchObject({
        error: 'request.invalid',
        issues: [{ path: 'filters.1.filters.0.value', issue }],
      });
    },
  );

  test('groups of filters hold all together, or one of them does', async () => {
    const power = (operator: '=' | '>', value: number) => ({ field: 'power', operator, value });
    const state = { field: 'state', operator: 'LIKE' as const, value: 'run*' };
    expect(await ids([{ operator: 'OR', filters: [power('=', 10), power('>', 25)] }, state])).toEqual([
      1,
      'other 1',
    ]);
    expect(await ids([power('=', 10), power('=', 20)], { filterOperator: 'OR' })).toEqual([1, 2]);
    const nested = {
      operator: 'AND' as const,
      filters: [power('>', 5), { operator: 'OR' as const, filters: [power('=', 20), power('=', 30)] }],
    };
    expect(await ids([nested])).toEqual([2, 3]);
  });

  test('a date without a zone is one of the caller', async () => {
    const filters: SearchFilter[] = [{ field: 'event_time', operator: '>=', value: '2026-03-28T14:00' }];
    expect(await ids(filters, { timezone: 'Europe/Rome' })).toEqual([3, 4]);
    expect(await ids(filters, { timezone: 'UTC' })).toEqual([4]);
    const timeframe = { from: '2026-03-28', to: '2026-03-28T12:30' };
    expect(await ids([], { timeframe, timezone: 'Europe/Rome' })).toEqual([1, 'other 1']);
    expect(await ids([], { timeframe: { from: null, to: '2026-03-28T13:00+01:00' } })).toEqual([
      1,
      'other 1',
    ]);
    expect(await ids([], { timeframe: 'All time' })).toHaveLength(5);
    expect(await ids([], { timeframe: 'last 7 days' })).toEqual([]);
  });
});

test('sorting, rows, chosen fields and the total', async () => {
  const result = await store.search(
    'hill',
    ALL_DEVICES,
    'plant',
    query({ sort: '-power', rows: 2, fields: ['power', 'device'] }),
  );
  expect(result.records).toEqual([
    { power: 100, device: OTHER_DEVICE },
    { power: 30, device: DEVICE },
  ]);
  expect(result).toMatchObject({ totalRecords: 5, timedOut: false });
  expect(await ids([], { sort: 'state', rows: 2 })).toEqual([1, 'other 1']);
  expect(await ids([], { rows: 0 })).toEqual([]);
});

describe('aggregations', () => {
  const aggregate = async (aggregation: object, rest: object = {}) => {
    const { aggregations } = await store.search(
      'hill',
      ALL_DEVICES,
      'plant',
      query({ rows: 0, aggs: [{ name: 'a', type: 'average', ...aggregation }], ...rest }),
    );
    return aggregations.a?.buckets;
  };

  test('the mean by device, as the health list asks for it', async () => {
    expect(await aggregate({ fields: ['power'], groupBy: ['device'] })).toEqual([
      { key: DEVICE, doc_count: 4, values: { power: 20 }, a: { value: 20 } },
      { key: OTHER_DEVICE, doc_count: 1, values: { power: 100 }, a: { value: 100 } },
    ]);
  });

  test.each([
    ['min', 10],
    ['max', 100],
    ['sum', 160],
    ['count', 4],
    ['first', 10],
    ['last', 30],
    ['difference', 20],
  ])('%s', async (type, value) => {
    expect(await aggregate({ type, fields: ['power'] })).toMatchObject([
      { key: null, doc_count: 5, a: { value } },
    ]);
  });

  test('intervals of a day are cut in the time zone, 23 hours long where the clock jumps', async () => {
    const day = (date: string) => Date.parse(date);
    const events = Array.from({ length: 73 }, (_, i): [number, number, number] => [
      1000 + i,
      day('2026-03-27T23:30:00Z') + i * HOUR,
      i,
    ]);
    await store.insert([block('days', { v: 'integer' }, events)], 'days');
    const { aggregations } = await store.search(
      'hill',
      ALL_DEVICES,
      'days',
      query({
        rows: 0,
        timezone: 'Europe/Rome',
        aggs: [{ name: 'n', type: 'count', groupBy: [{ field: 'event_time', interval: '1d' }] }],
      }),
    );
    expect(aggregations.n?.buckets).toEqual([
      { key: day('2026-03-27T23:00:00Z'), doc_count: 24 },
      { key: day('2026-03-28T23:00:00Z'), doc_count: 23 },
      { key: day('2026-03-29T22:00:00Z'), doc_count: 24 },
      { key: day('2026-03-30T22:00:00Z'), doc_count: 2 },
    ]);
  });

  test.each(['15m', '6h', '1w', '1M', '1y'])('an interval of %s', async (interval) => {
    const buckets = await aggregate(
      { type: 'count', groupBy: [{ field: 'event_time', interval }] },
      { timezone: 'America/Denver' },
    );
    expect(buckets?.reduce((sum, { doc_count }) => sum + doc_count, 0)).toBe(5);
    expect(Number(buckets?.[0]?.key)).toBeLessThanOrEqual(AT);
  });

  test('nested groups', async () => {
    expect(await aggregate({ type: 'count', groupBy: ['device', 'state'] })).toEqual([
      {
        key: DEVICE,
        doc_count: 4,
        buckets: [
          { key: 'Running', doc_count: 1 },
          { key: 'Running 100%', doc_count: 1 },
          { key: 'fault_7', doc_count: 1 },
          { key: null, doc_count: 1 },
        ],
      },
      { key: OTHER_DEVICE, doc_count: 1, buckets: [{ key: 'Running', doc_count: 1 }] },
    ]);
  });

  test('the newest event of each device', async () => {
    expect(await aggregate({ type: 'latest', groupBy: ['device'] })).toMatchObject([
      { key: DEVICE, doc_count: 4, latest: { msg_id: 4, event_time: new Date(AT + 3 * HOUR).toISOString() } },
      { key: OTHER_DEVICE, doc_count: 1, latest: { msg_id: 1, power: 100, source: 'inv-02' } },
    ]);
  });

  test('a time zone that does not exist is named', async () => {
    await expect(aggregate({ fields: ['power'] }, { timezone: "Mars/Base'" })).rejects.toThrow("Mars/Base'");
  });

  test('what is calculated of texts is refused, and so are intervals of what is no date', async () => {
    await expect(aggregate({ fields: ['state'] })).rejects.toMatchObject({
      issues: [{ issue: 'issue.aggregation_numbers' }],
    });
    const groupBy = [{ field: 'power', interval: '1h' }];
    await expect(aggregate({ fields: ['power'], groupBy })).rejects.toMatchObject({
      issues: [{ issue: 'issue.no_intervals' }],
    });
    await expect(ids([], { dateField: 'power' })).rejects.toMatchObject({
      issues: [{ issue: 'issue.date_field' }],
    });
  });

  test('percentiles, spread and how many different values', async () => {
    expect(await aggregate({ type: 'percentiles', field: 'power', percents: [0, 50, 100] })).toMatchObject([
      { a: { value: { 0: 10, 50: 25, 100: 100 } } },
    ]);
    expect(await aggregate({ type: 'stdDeviation', field: 'power', groupBy: ['source'] })).toMatchObject([
      { a: { value: Math.sqrt(200 / 3) } },
      { a: { value: 0 } },
    ]);
    expect(await aggregate({ type: 'cardinality', field: 'state' })).toMatchObject([{ a: { value: 3 } }]);
  });

  test('a value weighs as long as it holds, also over the edges of intervals', async () => {
    const minute = 60_000;
    const rows: [number, number, number][] = [
      [1, AT + 50 * minute, 10],
      [2, AT + 51 * minute, 20],
      [3, AT + 70 * minute, 40],
    ];
    await store.insert([block('weights', { v: 'decimal', total: 'decimal' }, rows)], 'weights');
    const ask = async (agg: object) => {
      const asked = query({ rows: 0, aggs: [{ name: 'a', field: 'v', maxGapMs: HOUR, ...agg }] });
      const { aggregations } = await store.search('hill', ALL_DEVICES, 'weights', asked);
      return aggregations.a?.buckets.map(({ key, a }) => [key, (a as { value: number }).value]);
    };
    const groupBy = [{ field: 'event_time', interval: '1h' }];
    expect(await ask({ type: 'timeWeightedAverage' })).toEqual([[null, 390 / 20]]);
    expect(await ask({ type: 'timeWeightedAverage', interpolation: 'linear' })).toEqual([
      [null, (15 + 30 * 19) / 20],
    ]);
    expect(await ask({ type: 'timeWeightedAverage', groupBy })).toEqual([
      [AT, 19],
      [AT + HOUR, 20],
    ]);
    expect(await ask({ type: 'integral', unit: 'm', groupBy })).toEqual([
      [AT, 190],
      [AT + HOUR, 200],
    ]);
    expect(await ask({ type: 'integral', unit: 'm', maxGapMs: 5 * minute })).toEqual([[null, 10]]);
    // 19 minutes after one of a minute are a gap, as they are in a chart.
    expect(await ask({ type: 'timeWeightedAverage', maxGapMs: null })).toEqual([[null, 10]]);
  });

  test('a counter that starts over counts on', async () => {
    const rows = [100, 150, 5, 30].map((v, i): [number, number, number] => [i + 1, AT + i * HOUR, v]);
    await store.insert([block('meter', { v: 'decimal' }, rows)], 'meter');
    const { aggregations, stats } = await store.search(
      'hill',
      ALL_DEVICES,
      'meter',
      query({
        rows: 0,
        aggs: [
          { name: 'all', type: 'difference', field: 'v' },
          {
            name: 'hours',
            type: 'difference',
            field: 'v',
            groupBy: [{ field: 'event_time', interval: '2h' }],
          },
        ],
      }),
    );
    expect(stats).toEqual({ all: 80 });
    expect(aggregations.hours?.buckets).toMatchObject([
      { key: AT - HOUR, hours: { value: 50 } },
      { key: AT + HOUR, hours: { value: 30 } },
      { key: AT + 3 * HOUR, hours: { value: 0 } },
    ]);
  });

  test('of a counter that is read every third day the day between has its part', async () => {
    const day = 24 * HOUR;
    const rows = [0, 1, 2].map((i): [number, number, number, string] => [
      ...([i + 1, AT + 3 * i * day, 100 + 72 * i] as [number, number, number]),
      'one',
    ]);
    await store.insert([block('sparse', { v: 'decimal', tariff: 'keyword' }, rows)], 'sparse');
    for (const at of [AT + day, AT + 4 * day])
      for (const groupBy of [[], ['device'], ['tariff']]) {
        const aggs = [{ name: 'e', type: 'difference', field: 'v', groupBy }];
        const asked = query({ rows: 0, aggs, timeframe: { from: at, to: at + day } });
        const { aggregations, stats } = await store.search('hill', ALL_DEVICES, 'sparse', asked);
        if (groupBy.length === 0) expect(stats).toEqual({ e: 24 });
        else expect(aggregations.e?.buckets).toMatchObject([{ e: { value: 24 } }]);
      }
    const halves = [{ field: 'event_time', interval: '12h' }];
    const aggs = [{ name: 'e', type: 'difference', field: 'v', groupBy: halves }];
    const timeframe = { from: AT + day, to: AT + 2 * day };
    const { aggregations } = await store.search(
      'hill',
      ALL_DEVICES,
      'sparse',
      query({ rows: 0, aggs, timeframe }),
    );
    const values = aggregations.e?.buckets.map(({ e }) => (e as { value: number }).value) ?? [];
    expect(values.reduce((sum, one) => sum + one, 0)).toBe(24);
  });

  test('what was counted belongs to the group of the later reading, and to the time between the two', async () => {
    const rows = [
      [1, AT, 100, 'day'],
      [2, AT + HOUR, 110, 'day'],
      [3, AT + 2 * HOUR, 0, 'night'],
      [4, AT + 3 * HOUR, 130, 'night'],
      [5, AT + 4 * HOUR, 135, 'day'],
    ] as [number, number, number, string][];
    await store.insert([block('tariffs', { v: 'decimal', tariff: 'keyword' }, rows)], 'tariffs');
    const ask = async (groupBy: unknown[]) => {
      const aggs = [{ name: 'e', type: 'difference', field: 'v', groupBy }];
      const timeframe = { from: AT + HOUR / 2, to: AT + 4 * HOUR };
      const { aggregations } = await store.search(
        'hill',
        ALL_DEVICES,
        'tariffs',
        query({ rows: 0, aggs, timeframe }),
      );
      return aggregations.e?.buckets;
    };
    expect(await ask(['tariff'])).toMatchObject([
      { key: 'day', e: { value: 10 } },
      { key: 'night', e: { value: 20 } },
    ]);
    const both = await ask(['tariff', { field: 'event_time', interval: '1h' }]);
    const byHour = both?.map(({ buckets }) =>
      (buckets as { e: { value: number } }[]).map(({ e }) => e.value),
    );
    expect(byHour).toEqual([
      [5, 0, 5],
      [10, 10, 0],
    ]);
    expect(await ask([{ field: 'event_time', interval: '1h' }])).toMatchObject(
      [5, 10, 10, 5].map((value, i) => ({ key: AT + i * HOUR, e: { value } })),
    );
  });

  test('empty intervals appear where they are asked for', async () => {
    const timeframe = { from: '2026-03-28T10:00Z', to: '2026-03-28T17:00Z' };
    const filled = {
      type: 'sum',
      field: 'power',
      fill: true,
      groupBy: ['device', { field: 'event_time', interval: '2h' }],
    };
    const buckets = await aggregate(filled, { timeframe });
    expect(buckets?.[0]).toMatchObject({ key: DEVICE, doc_count: 4 });
    const hours = (buckets?.[0]?.buckets ?? []) as object[];
    expect(hours.map((one) => Object.values(one))).toEqual([
      [Date.UTC(2026, 2, 28, 10), 1, { power: 10 }, { value: 10 }],
      [Date.UTC(2026, 2, 28, 12), 2, { power: 50 }, { value: 50 }],
      [Date.UTC(2026, 2, 28, 14), 1, { power: null }, { value: null }],
      [Date.UTC(2026, 2, 28, 16), 0, { power: null }, { value: null }],
    ]);
  });

  test('an analysis answers a row for each interval and category', async () => {
    const { dataset, valueFields } = await store.search(
      'hill',
      ALL_DEVICES,
      'plant',
      query({
        rows: 0,
        aggs: [{ name: 'p', type: 'max', field: 'power', category: 'source', interval: '1d' }],
      }),
    );
    expect(valueFields).toEqual(['p']);
    const day = Date.UTC(2026, 2, 28);
    expect(dataset).toEqual([
      { source: 'inv-01', event_time: day, p: 30 },
      { source: 'inv-02', event_time: day, p: 100 },
    ]);
  });
});

test('a search that is too slow ends with the words of the specification', async () => {
  const { clickhouse } = engine;
  const { asked } = await import('./telemetry.reading.ts');
  const slow = asked(() =>
    clickhouse.query('SELECT max(sipHash64(number)) FROM numbers(100000000000)', {
      settings: { max_execution_time: 1 },
    }),
  );
  await expect(slow).rejects.toMatchObject({ error: 'search.timed_out', message: 'Timed out' });
  const big = asked(() =>
    clickhouse.query('SELECT number FROM numbers(1000)', { settings: { max_result_rows: 10 } }),
  );
  await expect(big).rejects.toMatchObject({ error: 'search.too_much' });
});
