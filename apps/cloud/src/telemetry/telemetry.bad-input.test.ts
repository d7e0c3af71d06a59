import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestCloud, type TestCloud } from '../testing/test-cloud.ts';
import { block } from './telemetry.test-store.ts';

const AT = Date.UTC(2026, 4, 1, 12);
let cloud: TestCloud;
let token = '';
let device = '';

beforeAll(async () => {
  cloud = await startTestCloud();
  token = await cloud.owner();
  const made = await cloud.call('POST', 'devices/main', { token, body: { name: 'Roof' } });
  device = made.body.id;
  const rows = Array.from({ length: 40 }, (_, i): [number, number, number, string, number] => [
    i + 1,
    AT + i * 60_000,
    i < 20 ? i * 10 : (i - 20) * 10,
    'on',
    1,
  ]);
  const fields = { n: 'decimal', s: 'keyword', b: 'bool' } as const;
  await cloud.cloud.features.telemetry
    .asSystem('ingest')
    .insert([block('inverter', fields, rows, { workgroup: 'main', device })], 'bad');
});
afterAll(() => cloud.stop());

type Query = Record<string, unknown>;

async function search(given: Query, table = 'inverter', wg = 'main') {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(given))
    for (const one of [value].flat()) query.append(name, typeof one === 'string' ? one : JSON.stringify(one));
  return cloud.call('GET', `tables/${wg}/${table}/search?${query}`, { token });
}

const filter = (field: string, operator: string, value?: unknown) => ({
  filters: [{ field, operator, ...(value === undefined ? {} : { value }) }],
});
const deep = (levels: number): object =>
  levels === 0 ? { field: 'n', operator: '=', value: 1 } : { operator: 'AND', filters: [deep(levels - 1)] };

test.each<[string, Query, string]>([
  ['a parameter with a typo', { rwos: 5 }, 'rwos'],
  ['a parameter of another endpoint', { scroll_id: 'abc' }, 'scroll_id'],
  ['an aggregation with a typo', { aggs: [{ type: 'count', groupby: ['device'] }] }, 'aggs.0.groupby'],
  ['a timeframe with a typo', { timeframe: { form: '2026-01-01', to: '2026-02-01' } }, 'timeframe.form'],
  ['an unknown operator', filter('n', '~', 1), 'filters.0.operator'],
  ['an operator of a prototype', filter('n', 'constructor', 1), 'filters.0.operator'],
  ['a text for a number', filter('n', '>', 'many'), 'filters.0.value'],
  ['a hexadecimal number', filter('n', '>=', '0x10'), 'filters.0.value'],
  ['true for a number', filter('n', '>=', true), 'filters.0.value'],
  ['an empty text for a number', filter('n', '=', ''), 'filters.0.value'],
  ['a list for one value', filter('n', '=', [1, 2]), 'filters.0.value'],
  ['an object for a value', filter('n', '=', { a: 1 }), 'filters.0'],
  ['a date without a shape', filter('event_time', '>=', '1 May 2026'), 'filters.0.value'],
  ['a date in the order of a country', filter('event_time', '>=', '05/01/2026'), 'filters.0.value'],
  ['a year alone', filter('event_time', '>=', '2026'), 'filters.0.value'],
  ['the 30th of February', filter('event_time', '>=', '2026-02-30'), 'filters.0.value'],
  [
    'a filter with a typo',
    { filters: [{ field: 'n', operator: '=', value: 1, vlaue: 2 }] },
    'filters.0.vlaue',
  ],
  [
    'a filter that is a group as well',
    { filters: [{ field: 'n', operator: 'AND', filters: [filter('n', '=', 1).filters[0]] }] },
    'filters.0.field',
  ],
  ['a text of a book', filter('s', '=', 'x'.repeat(10_001)), 'filters.0.value'],
  ['groups that are nested too deeply', { filters: [deep(9)] }, 'filters'],
  [
    'too many values',
    filter(
      'n',
      'IN',
      Array.from({ length: 10_001 }, (_, i) => i),
    ),
    'filters.0.value',
  ],
  [
    'too many filters',
    { filters: Array.from({ length: 201 }, () => filter('n', '=', 1).filters[0]) },
    'filters',
  ],
  ['rows that are empty', { rows: '' }, 'rows'],
  ['rows below 0', { rows: '-1' }, 'rows'],
  ['rows above the limit', { rows: '10001' }, 'rows'],
  ['rows in halves', { rows: '1.5' }, 'rows'],
  ['a zone of nowhere', { timezone: 'Mars/Base' }, 'timezone'],
  ['a timeframe of nowhere', { timeframe: 'last-1000-moons' }, 'timeframe'],
  [
    'a timeframe that ends before it begins',
    { timeframe: { from: '2026-05-02', to: '2026-05-01' } },
    'timeframe',
  ],
  ['a timeframe of nothing', { timeframe: {} }, 'timeframe'],
  ['a timeframe with a wrong date', { timeframe: { from: '1 May 2026' } }, 'timeframe.from'],
  [
    'two aggregations of one name',
    {
      aggs: [
        { name: 'x', type: 'max', field: 'n' },
        { name: 'x', type: 'min', field: 'n' },
      ],
    },
    'aggs.1.name',
  ],
  [
    'too many aggregations',
    { aggs: Array.from({ length: 21 }, (_, i) => ({ name: `a${i}`, type: 'count' })) },
    'aggs',
  ],
  ['an aggregation of an unknown type', { aggs: [{ name: 'x', type: 'median', field: 'n' }] }, 'aggs.0.type'],
  ['an aggregation of texts', { aggs: [{ name: 'x', type: 'average', field: 's' }] }, 'aggs'],
  [
    'an interval of nowhere',
    { aggs: [{ name: 'x', type: 'max', field: 'n', interval: '7 moons' }] },
    'aggs.0.interval',
  ],
  ['filters that are no JSON', { filters: '{' }, 'filters.0'],
  ['aggregations as CSV', { csvScroll: 'true', aggs: [{ type: 'count' }] }, 'aggs'],
  ['pages of CSV', { csvScroll: 'true', scroll: 'true' }, 'scroll'],
  ['rows of CSV without CSV', { csvRows: '5' }, 'csvRows'],
])('%s answers 400 and names its part', async (_what, query, part) => {
  const { status, body } = await search(query);
  expect({ status, body }).toMatchObject({ status: 400, body: { code: 400 } });
  const paths = (body.issues ?? []).map(({ path }: { path: string }) => path);
  expect(
    paths.some((path: string) => path === part || path.startsWith(`${part}.`)),
    JSON.stringify(body),
  ).toBe(true);
});

test.each<[string, Query, string, string]>([
  ['nothing for a value', { filters: ['{"field":"n","operator":"=","value":null}'] }, 'value', 'Required'],
  [
    'a number without end',
    { filters: ['{"field":"n","operator":">","value":1e999}'] },
    'value',
    'Give a text, a number, true or false.',
  ],
  ['rows below 0', { rows: '-1' }, 'rows', 'At least 0.'],
])('%s is refused for what is wrong with it', async (_what, query, part, words) => {
  const { status, body } = await search(query);
  expect(status).toBe(400);
  expect(body.issues).toEqual([
    expect.objectContaining({ path: expect.stringMatching(new RegExp(`${part}$`)), message: words }),
  ]);
});

test('a list that takes no parameters refuses one too, in words that name it', async () => {
  const { status, body } = await cloud.call('GET', 'tables/main?serch=inverter', { token });
  expect({ status, message: body.message }).toEqual({
    status: 400,
    message: 'Not accepted: serch in the query: No field has this name.',
  });
});

test.each<[Query, string]>([
  [{ filters: [{}] }, 'Empty constraints object'],
  [{ aggs: [{ name: 'x', field: 'n' }] }, 'options.aggregate.type not provided'],
  [{ aggs: ['null'] }, 'query.aggs not provided'],
])('%j has the documented words', async (query, words) => {
  expect(await search(query)).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining(words) },
  });
});

test.each<[string, Query, string]>([
  ['a field that is not there', filter('nothing', '=', 1), 'inverter'],
  ['a field of a prototype', filter('__proto__', '=', 1), 'inverter'],
  ['a column that is not there', { fields: ['nothing'] }, 'inverter'],
  ['an order by what is not there', { sort: '-nothing' }, 'inverter'],
  ['an aggregation of what is not there', { aggs: [{ type: 'max', field: 'nothing' }] }, 'inverter'],
  ['a table that is not there', {}, 'nothing'],
])('%s is refused by its name', async (_what, query, table) => {
  const { status, body } = await search(query, table);
  expect([400, 404]).toContain(status);
  expect(body.message).toMatch(/nothing|__proto__/);
});

test('SQL in every text is a text, another workgroup is not told apart from none, and a scroll that is over says so', async () => {
  const evil = "x' OR 1=1; DROP TABLE telemetry.events --";
  for (const query of [filter('s', '=', evil), filter('s', 'LIKE', evil), filter('device', 'IN', [evil])])
    expect(await search(query)).toMatchObject({ status: 200, body: { totalRecords: 0 } });
  for (const query of [{ fields: [evil] }, { sort: evil }, { dateField: evil }])
    expect([400, 404]).toContain((await search(query)).status);
  expect((await search({})).body.totalRecords).toBe(40);
  const [theirs, none] = [await search({}, 'inverter', 'other'), await search({}, 'inverter', 'none-such')];
  expect([theirs.status, theirs.body]).toEqual([none.status, none.body]);
  const scroll = await cloud.call('GET', 'tables/main/inverter/search/scroll?scroll_id=nonsense', { token });
  expect(scroll).toMatchObject({ status: 404, body: { error: 'search.scroll_expired' } });
});

test('a thousand devices in a filter are answered, a date without a zone is the caller’s, and counters never count back', async () => {
  const ids = Array.from({ length: 1000 }, () => crypto.randomUUID());
  expect(await search(filter('device', 'IN', [...ids, device]))).toMatchObject({
    status: 200,
    body: { totalRecords: 40 },
  });
  const local = { ...filter('event_time', '>=', '2026-05-01T14:20'), timezone: 'Europe/Berlin' };
  expect((await search(local)).body.totalRecords).toBe(20);
  const counted = await search({ aggs: [{ name: 'd', type: 'difference', field: 'n' }], rows: 0 });
  expect(counted.body.stats.d).toBe(380);
});
