import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { latestSource } from '@albedo/contract/devices/devices.schema';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { BrowserSocket } from '../testing/browser-socket.ts';
import { NEW_TOKEN } from '../testing/identities.ts';
import { startTestCloud, type TestCloud } from '../testing/test-cloud.ts';
import { block } from './telemetry.test-store.ts';

let cloud: TestCloud;
let device: string;
let token: string;
const AT = Date.UTC(2026, 4, 1, 12);

beforeAll(async () => {
  cloud = await startTestCloud();
  token = await cloud.owner();
  const { body } = await cloud.call('POST', 'devices/main', { token, body: { name: 'Searched' } });
  device = body.id;
  await plant();
});
afterAll(() => cloud.stop());

const insert = (...blocks: ReturnType<typeof block>[]) =>
  cloud.cloud.features.telemetry.asSystem('ingest').insert(
    blocks.map((one) => ({ ...one, workgroup: 'main', device })),
    crypto.randomUUID(),
  );

/** Lists repeat the parameter, objects travel as JSON. */
function get(path: string, query: Record<string, unknown> = {}) {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value])
      params.append(name, typeof one === 'object' ? JSON.stringify(one) : String(one));
  }
  return cloud.call('GET', `${path}?${params}`, { token });
}

test('a field may be called like something that every object has', async () => {
  const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
  const filler = Array.from({ length: 64 }, (_, i) => `f${i}`);
  const types = (all: string[]) => Object.fromEntries(all.map((name) => [name, 'decimal' as const]));
  const values = names.map((_, i) => i);
  // Once in columns of their own, and once where fields are kept that found none.
  await insert(block('odd', types(names), [[1, AT, ...values]]));
  await insert(block('wide', types(filler), [[2, AT, ...filler.map(() => 7)]]));
  await insert(block('wide', types(names), [[3, AT + 1, ...values]]));
  for (const table of ['odd', 'wide']) {
    const { body } = await get(`tables/main/${table}/search`, { sort: '-event_time', rows: 2 });
    const [record, older] = body.records;
    expect(names.map((name) => Object.hasOwn(record, name) && record[name])).toEqual(values);
    if (older) expect(names.map((name) => older[name])).toEqual([null, null, null, null]);
    const some = await get(`tables/main/${table}/search`, {
      fields: ['__proto__', 'device'],
      sort: '-msg_id',
    });
    expect(Object.entries(some.body.records[0])).toEqual([
      ['__proto__', 0],
      ['device', device],
    ]);
    const aggs = { name: '__proto__', type: 'max', fields: names, groupBy: ['__proto__'] };
    const { body: found } = await get(`tables/main/${table}/search`, { rows: 0, aggs });
    const bucket = Object.entries(found.aggregations)[0] as [string, { buckets: { values: object }[] }];
    expect(bucket[0]).toBe('__proto__');
    expect(Object.entries(bucket[1].buckets[0]?.values ?? {})).toEqual(names.map((name, i) => [name, i]));
  }
  const { body: sources } = await cloud.call('GET', `devices/main/${device}/sources`, { token });
  expect(z.array(latestSource).safeParse(sources).error).toBeUndefined();
  const odd = sources.find(({ table }: { table: string }) => table === 'odd');
  expect(new Map(Object.entries(odd.values))).toEqual(new Map(names.map((name, i) => [name, i])));
});

/** Twelve events of a minute each, in pairs of one instant. */
async function plant() {
  const fields = { power: 'decimal', state: 'keyword' } as const;
  const rows = Array.from({ length: 12 }, (_, i): [number, number, number | null, string] => [
    100 + i,
    AT + Math.floor(i / 2) * 60_000,
    i % 3 === 0 ? null : i,
    i % 2 === 0 ? 'a "quoted", one' : 'b',
  ]);
  await insert(block('plant', fields, rows));
}

const PLANT = 'tables/main/plant/search';

/** A filter in so many brackets. */
const nested = (depth: number): object =>
  depth === 0 ? { field: 'power', operator: 'EXISTS' } : { operator: 'OR', filters: [nested(depth - 1)] };

test.each<[string, Record<string, unknown>, string, string]>([
  ['filters', { filters: {} }, 'filters.0', 'Empty constraints object'],
  ['filters', { filters: { operator: 'OR', filters: [] } }, 'filters.0.filters', 'Empty constraints object'],
  [
    'filters',
    { filters: { field: 'power', value: 1 } },
    'filters.0.operator',
    'A filter needs an operator and a field.',
  ],
  [
    'filters',
    { filters: { operator: '=', value: 1 } },
    'filters.0.field',
    'A filter needs an operator and a field.',
  ],
  [
    'filters',
    { filters: { field: 'power', operator: '~', value: 1 } },
    'filters.0.operator',
    'One of these: =',
  ],
  [
    'filters',
    { filters: { field: 'power', operator: '>', value: 'many' } },
    'filters.0.value',
    'many is not one',
  ],
  ...[true, '0x10', ''].map((value): [string, Record<string, unknown>, string, string] => [
    'filters',
    { filters: { field: 'power', operator: '>=', value } },
    'filters.0.value',
    'is not one',
  ]),
  ...['05/01/2026', '1 May 2026', '2026', '2026-02-30'].map(
    (value): [string, Record<string, unknown>, string, string] => [
      'filters',
      { filters: { field: 'event_time', operator: '>=', value } },
      'filters.0.value',
      'is not one',
    ],
  ),
  [
    'filters',
    { filters: { field: 'power', operator: 'IN', value: Array(10_001).fill(1) } },
    'filters.0.value',
    'At most 10000 entries',
  ],
  [
    'filters',
    { filters: nested(6) },
    'filters.0.filters.0.filters.0.filters.0.filters.0.filters.0.filters',
    'up to 5 levels',
  ],
  ['filters', { filters: '{nonsense' }, 'filters.0', 'not valid JSON'],
  [
    'filters',
    { filters: Array(201).fill({ field: 'power', operator: 'EXISTS' }) },
    'filters',
    'At most 200 entries',
  ],
  ['rows', { rows: '' }, 'rows', 'number'],
  ['rows', { rows: 10_001 }, 'rows', 'At most 10000'],
  ['rows', { rows: '1.5' }, 'rows', 'number'],
  ['timezone', { timezone: 'Mars/Base' }, 'timezone', 'Mars/Base'],
  [
    'timeframe',
    { timeframe: { from: '2026-05-02', to: '2026-05-01' } },
    'timeframe',
    'The end must be after the start.',
  ],
  ['timeframe', { timeframe: { from: '2026' } }, 'timeframe.from', '"2026" is not a date'],
  ['timeframe', { timeframe: 'last fortnight' }, 'timeframe', 'last-7-days'],
  ['dateField', { dateField: 'power' }, 'dateField', 'power'],
  ['aggs', { aggs: '' }, 'aggs.0', 'query.aggs not provided'],
  ['aggs', { aggs: { field: 'power' } }, 'aggs.0.type', 'options.aggregate.type not provided'],
  ['aggs', { aggs: { type: 'average' } }, 'aggs.0.field', 'needs a field'],
  ['aggs', { aggs: { type: 'mode', field: 'power' } }, 'aggs.0.type', 'One of these: average'],
  ['aggs', { aggs: Array(2).fill({ type: 'max', field: 'power' }) }, 'aggs.1.name', 'Two aggregations'],
  ['aggs', { aggs: { type: 'max', field: 'power', name: 'doc_count' } }, 'aggs.0.name', 'doc_count'],
  ['aggs', { aggs: { type: 'max', field: 'power', interval: '7m' } }, 'aggs.0.interval', '7m'],
])('wrong %s are refused by the place where they stand: %#', async (_part, query, path, words) => {
  const { status, body } = await get(PLANT, query);
  expect({ status, path: body.issues?.[0]?.path }).toEqual({ status: 400, path });
  expect(body.message).toContain(words);
});

test('an unknown table is none, and an unknown field is named', async () => {
  expect((await get('tables/main/nothing/search')).body.error).toBe('table.not_found');
  for (const query of [
    { sort: '-nothing' },
    { fields: ['power', 'nothing'] },
    { dateField: 'nothing' },
    { filters: { field: 'nothing', operator: '=', value: 1 } },
    { aggs: { type: 'max', field: 'nothing' } },
  ])
    expect((await get(PLANT, { rows: 1, ...query })).body).toMatchObject({
      code: 400,
      message: 'The table plant has no field named nothing.',
    });
});

test('a thousand devices fit into the address of a search, and what fits into none says so', async () => {
  const value = Array.from({ length: 1000 }, () => crypto.randomUUID());
  const filters = { field: 'device', operator: 'IN', value: [...value, device] };
  expect((await get(PLANT, { filters })).body.totalRecords).toBe(12);
  const { status, body } = await get(PLANT, { filters: { ...filters, value: 'x'.repeat(600_000) } });
  expect({ status, error: body.error }).toEqual({ status: 431, error: 'request.address_long' });
});

test.each(['event_time', '-event_time', 'power', '-power', '-state', 'msg_id', 'device'])(
  'a scroll by %s answers every record once, in the order of one search',
  async (sort) => {
    const { body: whole } = await get(PLANT, { sort, rows: 100 });
    const seen: object[] = [];
    let { body } = await get(PLANT, { sort, rows: 5, scroll: true });
    while (body.scroll_id) {
      seen.push(...body.records);
      expect(body.totalRecords).toBe(12);
      body = (await get(`${PLANT}/scroll`, { scroll_id: body.scroll_id })).body;
    }
    expect(body.records).toEqual([]);
    expect(seen).toEqual(whole.records);
  },
);

test('a scroll that is over, or of another table, is none', async () => {
  const { body } = await get(PLANT, { rows: 5, scroll: true });
  const gone = { status: 404, body: { error: 'search.scroll_expired' } };
  expect(await get('tables/main/odd/search/scroll', { scroll_id: body.scroll_id })).toMatchObject(gone);
  expect(await get(`${PLANT}/scroll`, { scroll_id: 'nonsense' })).toMatchObject(gone);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 31_000 });
  try {
    expect(await get(`${PLANT}/scroll`, { scroll_id: body.scroll_id })).toMatchObject(gone);
  } finally {
    vi.useRealTimers();
  }
});

test('a scroll is for whom it was made for: nobody else goes on with it, and its id is not to be forged', async () => {
  const { body } = await get(PLANT, { rows: 5, scroll: true });
  const ask = (scroll_id: string, by: string, wg = 'main') =>
    cloud.call('GET', `tables/${wg}/plant/search/scroll?${new URLSearchParams({ scroll_id })}`, {
      token: by,
    });
  const gone = { status: 404, body: { error: 'search.scroll_expired' } };
  const member = await cloud.newUser({ main: { role: 'owner' } });
  expect(await ask(body.scroll_id, member)).toMatchObject(gone);
  const apiToken = { ...NEW_TOKEN, permissions: ['read'], canRenew: false };
  const made = await cloud.call('POST', 'orgs/main/api-tokens', { token, body: apiToken });
  expect(await ask(body.scroll_id, made.body.token)).toMatchObject(gone);
  const [signature = '', content = ''] = String(body.scroll_id).split('.');
  const page = JSON.parse(inflateRawSync(Buffer.from(content, 'base64url')).toString());
  const changed = (other: object) =>
    deflateRawSync(JSON.stringify({ ...page, ...other })).toString('base64url');
  for (const id of [
    content,
    `.${content}`,
    `${signature}.`,
    `${signature}.${changed({ totalRecords: 1 })}`,
    `${signature}.${changed({ rows: 10_000, expiresAt: Date.now() + 1e9 })}`,
    `${signature}.${content}.${content}`,
    `${signature.slice(1)}.${content}`,
  ])
    expect(await ask(id, token)).toMatchObject(gone);
  expect((await ask(body.scroll_id, token)).body.records).toHaveLength(5);
});

test('a search is text on request: a line for each record', async () => {
  const { headers, bytes } = await get(PLANT, {
    csvScroll: true,
    fields: ['state', 'power', 'event_time'],
    csvRows: 3,
  });
  expect(headers.get('content-type')).toContain('text/csv');
  expect(bytes.toString()).toBe(
    [
      'state,power,event_time',
      '"a ""quoted"", one",,2026-05-01T12:00:00.000Z',
      'b,1,2026-05-01T12:00:00.000Z',
      '"a ""quoted"", one",2,2026-05-01T12:01:00.000Z',
      '',
    ].join('\r\n'),
  );
  expect((await get(PLANT, { csvScroll: true })).bytes.toString().split('\r\n')).toHaveLength(14);
  // The size of a page leaves nothing out.
  for (const rows of [0, 3])
    expect((await get(PLANT, { csvScroll: true, rows })).bytes.toString().split('\r\n')).toHaveLength(14);
  expect((await get(PLANT, { csvScroll: true, sort: 'nothing' })).status).toBe(400);
});

test('text for spreadsheets has no formulas, and its numbers are as they are', async () => {
  const rows = [
    [11, AT, -5, '=HYPERLINK("http://example.org","click")'],
    [12, AT + 1, 1e21, '-7.5'],
    [13, AT + 2, 0, '+cmd'],
  ] as [number, number, ...(number | string)[]][];
  await insert(block('formulas', { value: 'decimal', note: 'keyword' }, rows));
  const { bytes } = await get('tables/main/formulas/search', {
    csvScroll: true,
    fields: ['value', 'note'],
    sort: 'event_time',
  });
  expect(bytes.toString().split('\r\n')).toEqual([
    'value,note',
    `-5,"'=HYPERLINK(""http://example.org"",""click"")"`,
    '1e+21,-7.5',
    "0,'+cmd",
    '',
  ]);
});

test('the socket answers the same as the address', async () => {
  const socket = await new BrowserSocket(cloud, { token, orgName: 'main' }).connected();
  const asked = { sort: '-power', rows: 3, aggs: [{ name: 'p', type: 'max', field: 'power' }] };
  const { took: _took, ...found } = (await get(PLANT, asked)).body;
  const { data } = await socket.call('search', { table: 'plant', timezone: 'Europe/Rome', query: asked });
  expect(data).toMatchObject(found);
  expect((await socket.call('search', { query: {} })).error).toMatchObject({ message: 'Missing table' });
  const filters = [{ field: 'event_time', operator: '>', value: '1 May 2026' }];
  expect((await socket.call('search', { table: 'plant', query: { filters } })).error).toMatchObject({
    error: 'request.invalid',
    issues: [{ path: 'filters.0.value' }],
  });
  expect((await socket.call('search', { table: 'plant', query: { rwos: 1 } })).error).toMatchObject({
    error: 'request.invalid',
    issues: [{ path: 'query.rwos' }],
  });
  // Beside the query it would be no filter at all.
  expect((await socket.call('search', { table: 'plant', filters })).error).toMatchObject({
    error: 'request.invalid',
    issues: [{ path: 'filters' }],
  });
  socket.socket.close();
});

test('the zone inside of a search over the socket counts, and one that does not exist is named', async () => {
  const socket = await new BrowserSocket(cloud, { token, orgName: 'main' }).connected();
  const groupBy = [{ field: 'event_time', interval: '1d' }];
  const query = { rows: 0, aggs: [{ name: 'n', type: 'count', groupBy }] };
  const inZone = { table: 'plant', query: { ...query, timezone: 'Europe/Rome' } };
  const { data } = await socket.call('search', inZone);
  const { aggregations } = (await get(PLANT, { ...query, timezone: 'Europe/Rome' })).body;
  expect(data).toMatchObject({ aggregations });
  expect(aggregations).not.toEqual((await get(PLANT, { ...query, timezone: 'UTC' })).body.aggregations);
  const nowhere = { table: 'plant', query: { timezone: '../../etc' } };
  expect((await socket.call('search', nowhere)).error).toMatchObject({ issues: [{ path: 'timezone' }] });
  socket.socket.close();
});

test('a name in a grouping that means nothing is refused', async () => {
  const groupBy = [{ field: 'event_time', interval: '1d', timezone: 'Europe/Rome' }];
  const { status, body } = await get(PLANT, { aggs: [{ name: 'n', type: 'count', groupBy }] });
  expect(status).toBe(400);
  expect(JSON.stringify(body)).toContain('aggs.0.groupBy.0');
});

test('several streams are one line where it is asked for, beside one that keeps its extremes', async () => {
  const minute = 60_000;
  const rows = (values: number[]) =>
    values.map((value, i): [number, number, number] => [10 + i, AT + i * 20_000, value]);
  await insert(
    block('paired', { kW: 'decimal' }, rows([1, 2, 3, 4, 5, 6]), { source: 'east' }),
    block('paired', { kW: 'decimal' }, rows([10, 10, 10, 20, 20, 20]), { source: 'west' }),
  );
  const stream = (source: string, more = {}) => ({ device, table: 'paired', source, field: 'kW', ...more });
  const asked = (combined: unknown[], more = {}) =>
    cloud.call('POST', 'series/main', {
      token,
      body: { from: AT, to: AT + 2 * minute, maxPoints: 10, combined, ...more },
    });
  const both = [stream('east', { factor: 1000 }), stream('west', { factor: 1000 })];
  const { body } = await asked([{ streams: both }, { streams: [stream('east')] }], {
    series: [stream('west')],
  });
  const [west, sum, east] = body;
  // Each value counts until the next one, and the last of all for nothing.
  expect(west.times).toHaveLength(6);
  expect([sum.times, sum.avg, sum.stats.avg]).toEqual([[AT, AT + minute], [12_000, 24_500], 18_250]);
  // Its own values, not those of the minutes in which the others are added up.
  expect([east.times.length, east.stats.min, east.stats.max]).toEqual([6, 1, 6]);

  const [mean] = (await asked([{ streams: both, combine: 'mean' }], { interval: '2m' })).body;
  expect(mean.avg).toEqual([8500]);
  const stranger = [{ ...stream('east'), device: crypto.randomUUID() }];
  expect((await asked([{ streams: stranger }])).body[0].times).toEqual([]);
  expect((await asked([{ streams: [] }])).status).toBe(400);
  const many = Array.from({ length: 300 }, () => stream('east'));
  const refused = await asked(Array.from({ length: 4 }, () => ({ streams: many })));
  expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining('At most 1000')]);
  expect((await asked([{ streams: [{ ...stream('east'), field: 'none' }] }])).status).toBe(400);
});
