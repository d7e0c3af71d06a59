import { prometheusAnswer } from '@albedo/contract/prometheus/prometheus.api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { block } from '../telemetry/telemetry.test-store.ts';
import { NEW_TOKEN } from '../testing/identities.ts';
import { startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

const AT = Date.UTC(2026, 4, 1, 12);
const seconds = (minutes: number) => AT / 1000 + minutes * 60;
let cloud: TestCloud;
let owner = '';
/** What Grafana is given: an API token that may only read. */
let token = '';
let roof = '';
let hall = '';

beforeAll(async () => {
  cloud = await startTestCloud();
  owner = await cloud.owner();
  const make = async (name: string): Promise<string> =>
    (await cloud.call('POST', 'devices/main', { token: owner, body: { name } })).body.id;
  roof = await make('Roof');
  hall = await make('Hall');
  const body = { ...NEW_TOKEN, permissions: ['read'], canRenew: false };
  token = (await cloud.call('POST', 'orgs/main/api-tokens', { token: owner, body })).body.token;
  const inMain = (device: string, source: string) => ({ workgroup: 'main', device, source });
  const fields = { 'AC Power': ['decimal', 'W'], energy: 'decimal', state: 'keyword' } as const;
  const minutes = Array.from({ length: 61 }, (_, i) => i);
  const telemetry = cloud.cloud.features.telemetry.asSystem('ingest');
  await telemetry.insert(
    [
      // A counter that counts 60 a minute and starts over at minute 30.
      block(
        'inverter',
        { ...fields, 'AC Power': ['decimal', 'W'] },
        minutes.map((i) => [i + 1, AT + i * 60_000, 100 + i, (i < 30 ? i : i - 30) * 60, 'on']),
        inMain(roof, 'inv-1'),
      ),
      block(
        'inverter',
        { 'AC Power': ['decimal', 'W'] },
        minutes.map((i) => [i + 100, AT + i * 60_000, 1000]),
        inMain(roof, 'inv-2'),
      ),
      block('inverter', { 'AC Power': ['decimal', 'W'] }, [[1, AT, 7]], inMain(hall, 'inv-1')),
      block('meter', { 'AC Power': ['decimal', 'kW'] }, [[2, AT, 5]], inMain(hall, 'meter')),
    ],
    'prometheus',
  );
});
afterAll(() => cloud.stop());

const api = (path: string, given: Record<string, string | string[]> = {}, by = token) => {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(given))
    for (const one of [value].flat()) query.append(name, one);
  return cloud.call('GET', `prometheus/main/api/v1/${path}?${query}`, { token: by });
};
/** As Grafana asks: a form without an anti-forgery token. */
const form = async (path: string, given: Record<string, string | string[]>) => {
  const body = new URLSearchParams();
  for (const [name, value] of Object.entries(given)) for (const one of [value].flat()) body.append(name, one);
  const response = await fetch(`${cloud.cloud.url}/api/v1/prometheus/main/api/v1/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-www-form-urlencoded' },
    body: body.toString(),
  });
  return { status: response.status, body: (await response.json()) as { data: { result: never[] } } };
};
/** Points of each line, by the labels that are asked for. */
const lines = async (query: string, from = 0, to = 60, stepMinutes = 10) => {
  const asked = { query, start: `${seconds(from)}`, end: `${seconds(to)}`, step: `${stepMinutes * 60}` };
  const { status, body } = await api('query_range', asked);
  expect(status, body.error).toBe(200);
  expect(() => prometheusAnswer.parse(body)).not.toThrow();
  return body.data.result as { metric: Record<string, string>; values: [number, string][] }[];
};
const now = async (query: string, minute = 60): Promise<unknown[]> => {
  const { status, body } = await api('query', { query, time: `${seconds(minute)}` });
  expect(status, body.error).toBe(200);
  return body.data.result;
};

test('Grafana finds the data source in order and learns names, labels and units', async () => {
  const health = await form('query', { query: '1+1', time: '4' });
  expect(health).toMatchObject({ status: 200, body: { data: { resultType: 'scalar', result: [4, '2'] } } });
  // Grafana adds what people enter in its settings.
  expect((await api('status/buildinfo?timeout=30s&team=a')).body.data.version).toMatch(/^\d+\.\d+\.\d+$/);
  const around = { start: `${seconds(0)}`, end: `${seconds(60)}` };
  expect((await api('label/__name__/values', around)).body.data).toEqual(['AC_Power', 'energy']);
  expect((await form('labels', { ...around, 'match[]': ['energy'] })).body.data).toContain('device_name');
  const named = await api('label/source/values', { ...around, 'match[]': 'AC_Power{table="inverter"}' });
  expect(named.body.data).toEqual(['inv-1', 'inv-2']);
  const { data } = (await form('series', { ...around, 'match[]': ['AC_Power{table="meter"}', 'energy'] }))
    .body;
  expect(data).toEqual([
    {
      __name__: 'energy',
      device: roof,
      device_name: 'Roof',
      field: 'energy',
      source: 'inv-1',
      table: 'inverter',
    },
    {
      __name__: 'AC_Power',
      device: hall,
      device_name: 'Hall',
      field: 'AC Power',
      source: 'meter',
      table: 'meter',
    },
  ]);
  const { AC_Power } = (await api('metadata', { limit: '40000' })).body.data;
  expect(AC_Power.map(({ unit }: { unit: string }) => unit)).toEqual(['W', 'kW']);
  expect((await api('rules')).body.data).toEqual({ groups: [] });
});

test('a panel draws what was measured, asked in the way that Grafana asks', async () => {
  const range = { start: `${seconds(0)}.000`, end: `${seconds(60)}`, step: '600' };
  const query = 'AC_Power{device_name="Roof", source=~"inv-[12]"}';
  const { body } = await form('query_range', { query, ...range });
  expect(body.data.result).toMatchObject([
    {
      metric: { source: 'inv-1' },
      values: [0, 10, 20, 30, 40, 50, 60].map((i) => [seconds(i), `${100 + i}`]),
    },
    { metric: { source: 'inv-2' }, values: { length: 7 } },
  ]);
});

test('a value stands for a quarter of an hour, or as long as the data source says', async () => {
  const hallLine = 'AC_Power{device_name="Hall", table="inverter"}';
  const [line] = await lines(hallLine, 0, 20, 5);
  expect(line?.values.map(([at]) => at)).toEqual([0, 5, 10].map(seconds));
  const asked = { query: hallLine, time: `${seconds(14)}`, lookback_delta: '5m' };
  expect((await api('query', asked)).body.data.result).toEqual([]);
});

test('counters that start over are rated, and windows may be longer or shorter than steps', async () => {
  const [rate] = await lines('rate(energy[5m])', 10, 60);
  expect(rate?.metric).not.toHaveProperty('__name__');
  for (const [at, value] of rate?.values ?? []) {
    // The value before the reset is lost with it, up to what the next one shows.
    if (at !== seconds(30)) expect(Number(value)).toBeCloseTo(1, 6);
  }
  expect(await now('increase(energy[10m])', 25)).toMatchObject([{ value: [seconds(25), '600'] }]);
  expect(await now('avg_over_time(AC_Power{source="inv-1",device_name="Roof"}[4m])')).toMatchObject([
    { value: [seconds(60), '158.5'] },
  ]);
  const [odd] = await lines('sum_over_time(AC_Power{source="inv-2"}[7m])', 10, 60, 5);
  expect(odd?.values.map(([, value]) => value)).toEqual(Array.from({ length: 11 }, () => '7000'));
  const [wide] = await lines('count_over_time(AC_Power{source="inv-2"}[25m])', 30, 60, 10);
  expect(wide?.values.map(([, value]) => value)).toEqual(['25', '25', '25', '25']);
  expect(await now('stddev_over_time(AC_Power{source="inv-1",device_name="Roof"}[3m])')).toMatchObject([
    { value: [seconds(60), String(Math.sqrt(2 / 3))] },
  ]);
  expect(await now('AC_Power{source="inv-1",table="inverter"} offset 1h')).toHaveLength(2);
});

test('a subquery takes the values of an expression as measured ones, at multiples of its step', async () => {
  const one = '{source="inv-1",device_name="Roof"}';
  expect(await now(`max_over_time(rate(energy${one}[5m])[40m:5m])`, 28)).toMatchObject([
    { value: [seconds(28), '1'] },
  ]);
  // At 12:20, 12:25 and 12:30, since the beginning of a window is not in it.
  expect(await now(`sum_over_time(AC_Power${one}[15m:5m])`, 30)).toMatchObject([
    { metric: { source: 'inv-1' }, value: [seconds(30), String(120 + 125 + 130)] },
  ]);
  expect(await now(`count_over_time(AC_Power${one}[10m:])`, 30)).toMatchObject([
    { value: [seconds(30), '10'] },
  ]);
  expect(await now(`increase(sum(energy)[20m:1m])`, 25)).toMatchObject([{ value: [seconds(25), '1200'] }]);
  expect(await now(`max_over_time((AC_Power${one} - 100)[10m:5m] offset 10m)`, 30)).toMatchObject([
    { value: [seconds(30), '20'] },
  ]);
  const [line] = await lines(`avg_over_time(AC_Power${one}[10m:5m])`, 10, 30, 10);
  expect(line?.values.map(([, value]) => value)).toEqual(['107.5', '117.5', '127.5']);
  expect(await now('min_over_time(vector(3)[5m:1m])')).toMatchObject([{ value: [seconds(60), '3'] }]);
  const nested = `max_over_time(avg_over_time(AC_Power${one}[10m:5m])[20m:10m])`;
  expect(await now(nested, 30)).toMatchObject([{ value: [seconds(30), '127.5'] }]);
});

test('@ pins a part of a query to an instant, or to an end of the whole', async () => {
  const one = '{source="inv-1",device_name="Roof"}';
  const points = async (query: string) =>
    (await lines(query, 20, 40, 10))[0]?.values.map(([, value]) => value);
  expect(await points(`AC_Power${one} @ ${seconds(5)}`)).toEqual(['105', '105', '105']);
  expect(await points(`AC_Power${one} - AC_Power${one} @ start()`)).toEqual(['0', '10', '20']);
  expect(await points(`AC_Power${one} - AC_Power${one} offset 10m * 2`)).toEqual(['-100', '-110', '-120']);
  expect(await points(`-AC_Power${one} offset 10m`)).toEqual(['-110', '-120', '-130']);
  expect(await points(`AC_Power${one} @ end() offset 10m`)).toEqual(['130', '130', '130']);
  expect(await points(`AC_Power${one} offset 10m @ end()`)).toEqual(['130', '130', '130']);
  expect(await points(`count_over_time(AC_Power${one}[5m] @ end())`)).toEqual(['5', '5', '5']);
  expect(await points(`max_over_time(AC_Power${one}[10m:5m] @ start())`)).toEqual(['120', '120', '120']);
  expect(await points(`max_over_time((AC_Power${one} @ end())[10m:5m])`)).toEqual(['140', '140', '140']);
  expect(await points(`AC_Power${one} offset -10m`)).toEqual(['130', '140', '150']);
});

test('lines are added up, compared, filtered and matched', async () => {
  expect(await now('sort(sum by (device_name) (AC_Power))', 5)).toMatchObject([
    { metric: { device_name: 'Hall' }, value: [seconds(5), '12'] },
    { metric: { device_name: 'Roof' }, value: [seconds(5), '1105'] },
  ]);
  expect(await now('topk(1, AC_Power) / 1000')).toMatchObject([
    { metric: { source: 'inv-2' }, value: [seconds(60), '1'] },
  ]);
  expect(await now('AC_Power > 500')).toMatchObject([{ metric: { __name__: 'AC_Power', source: 'inv-2' } }]);
  expect(await now('AC_Power{source="inv-1"} + on(device, source) energy')).toMatchObject([
    { metric: { source: 'inv-1' }, value: [seconds(60), '1960'] },
  ]);
  expect(await now('clamp_max({"AC Power", source="inv-2"}, 3) * 2 ^ 2')).toMatchObject([
    { value: [seconds(60), '12'] },
  ]);
  expect(await now('count(AC_Power or energy) unless energy', 5)).toMatchObject([
    { value: [seconds(5), '5'] },
  ]);
  expect(await now('absent(nothing_here)')).toMatchObject([{ value: [seconds(60), '1'] }]);
  const put = 'label_replace(AC_Power{source="inv-2"}, "nr", "$1", "source", "inv-(.*)")';
  expect(await now(put)).toMatchObject([{ metric: { nr: '2' } }]);
});

test.each([
  ['query_range', { query: 'sum(', start: '0', end: '60', step: '15' }, '1:5: parse error'],
  ['query_range', { query: 'x', start: 'yesterday', end: '60', step: '15' }, '"start"'],
  ['query_range', { query: 'x', start: '0', end: '60', step: '0' }, '"step"'],
  ['query_range', { query: 'x', start: '60', end: '0', step: '15' }, '"end"'],
  ['query_range', { query: 'x', start: '0', end: '20000', step: '1' }, '11000 points'],
  ['query_range', { query: '', start: '0', end: '60', step: '15' }, '"query"'],
  ['query', { query: 'histogram_quantile(0.9, AC_Power)' }, 'unknown function'],
  ['query', { query: 'rate(AC_Power)' }, 'range vector'],
  ['query', { query: 'AC_Power[5m]' }, 'rate()'],
  ['query', { query: 'AC_Power[1h:5m]' }, 'max_over_time()'],
  ['query', { query: 'max_over_time(AC_Power[5m][1h:5m])' }, 'only allowed on instant vector'],
  ['query', { query: 'max_over_time(AC_Power[1h:0s])' }, 'greater than 0'],
  ['query', { query: 'max_over_time(vector(1)[1000d:1s])' }, '86400000 steps'],
  ['query', { query: 'AC_Power @ nan' }, 'parse error'],
  ['query', { query: 'AC_Power @ 1e300' }, 'out of bounds'],
  ['query', { query: 'sum(AC_Power) @ 5' }, '@ modifier must follow'],
  ['query', { query: 'sum(AC_Power) offset 5m' }, 'offset modifier must follow'],
  ['query', { query: 'AC_Power @ 5 @ 6' }, 'multiple times'],
  ['query', { query: 'AC_Power{source=~"("}' }, 'parse error'],
  ['query', { query: '{source=""}' }, 'matcher'],
  ['query', { query: `${'('.repeat(400)}1${')'.repeat(400)}` }, 'nested'],
  ['query', { query: `AC_Power{source="' OR 1=1 --"} ==` }, 'parse error'],
  ['query', { query: 'x'.repeat(10_001) }, 'query in the query: At most 10000 characters.'],
  ['series', {}, 'match[]'],
  ['series', { 'match[]': '1+1' }, 'series selector'],
])('a fault of %s %j is named', async (path, given, fault) => {
  const { status, body } = await api(path, given as Record<string, string>);
  expect({ status, body }).toMatchObject({ status: 400, body: { status: 'error', errorType: 'bad_data' } });
  expect(body.error).toContain(fault);
});

test('names in quotes, dangerous patterns and odd labels harm nobody', async () => {
  expect(await now(`AC_Power{source="' OR 1=1 --"}`)).toEqual([]);
  expect(await now(`AC_Power{source=~"(a+)+$", constructor="x"}`)).toEqual([]);
  expect(await now('AC_Power{nothing=""}', 1)).toHaveLength(4);
});

test('members of a device group and strangers get no more than is theirs', async () => {
  const group = { name: 'Halls', composition: { type: 'IN', devices: [hall] } };
  const made = await cloud.call('POST', 'orgs/main/device-groups', { token: owner, body: group });
  const bound = await cloud.newUser({
    main: { role: 'readonly', permissions: ['read'], devGroup: made.body._id },
  });
  const { body } = await api('query', { query: 'AC_Power', time: `${seconds(1)}` }, bound);
  expect(body.data.result.map(({ metric }: { metric: { device: string } }) => metric.device)).toEqual([
    hall,
    hall,
  ]);
  expect((await api('label/__name__/values', {}, bound)).body.data).toEqual(['AC_Power']);
  const stranger = await cloud.newUser({ other: { role: 'owner' } });
  expect((await api('query', { query: '1' }, stranger)).status).toBe(403);
});
