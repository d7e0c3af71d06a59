import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { externalSource } from '@albedo/contract/external-sources/external-sources.schema';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { OutboundQuota } from '../outbound/outbound.quota.ts';
import { auditOf, startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

interface Answer {
  status?: number;
  body?: string;
  headers?: Record<string, string>;
  /** The connection ends in the middle of the body. */
  isCut?: boolean;
}
let answer: Answer = {};
let asked: { url: string; authorization: string | undefined }[] = [];
const station = createServer((request, reply) => {
  asked.push({ url: request.url ?? '', authorization: request.headers.authorization });
  if (answer.isCut) reply.writeHead(200, { 'content-length': '1000' }).write('{"da', () => reply.destroy());
  else reply.writeHead(answer.status ?? 200, answer.headers ?? {}).end(answer.body ?? '');
});
let cloud: TestCloud;
let token = '';
let base = '';

beforeAll(async () => {
  await new Promise<void>((done) => station.listen(0, '0.0.0.0', () => done()));
  base = `http://127.0.0.1:${(station.address() as AddressInfo).port}`;
  cloud = await startTestCloud({ ALBEDO_OUTBOUND_NETWORKS: '127.0.0.0/8' });
  token = await cloud.owner();
});
afterAll(async () => {
  await cloud.stop();
  station.close();
});
afterEach(() => {
  asked = [];
  answer = {};
});

const PATH = 'externalSources/main';
const ask = (method: string, path: string, body?: unknown, by = token) =>
  cloud.call(method, path, { token: by, body });
const mapping = {
  table: 'weather',
  source: 'station',
  timeColumn: 'time',
  timezone: 'Europe/Berlin',
  fields: [
    { column: 'air.temp', name: 'Ambient Temperature', units: '°C' },
    { column: 'wind', name: 'Wind Speed', factor: 0.5 },
  ],
};
const weather = (name: string, change: object = {}) => ({
  name,
  kind: 'pull',
  recordsPath: 'data',
  pull: { address: `${base}/api?from={from}`, credential: { kind: 'bearer' } },
  secret: 'a secret word',
  mapping,
  ...change,
});
const searched = async (table: string) =>
  (await ask('GET', `tables/main/${table}/search?sort=event_time`)).body as {
    totalRecords: number;
    records: Record<string, unknown>[];
  };

test('a source is tried, read and read again: repeats are known, corrections replace, and its secret stays inside', async () => {
  answer.body = JSON.stringify({
    data: [
      { time: '2026-06-01 12:00', air: { temp: 20.5 }, wind: 4 },
      { time: 'yesterday', air: { temp: 1 } },
    ],
  });
  const tried = await ask('POST', `${PATH}/preview`, weather('Tried'));
  expect(tried.body).toMatchObject({
    records: 2,
    events: 1,
    columns: ['time', 'air.temp', 'wind'],
    sample: [{ at: Date.UTC(2026, 5, 1, 10), values: { 'Ambient Temperature': 20.5, 'Wind Speed': 2 } }],
    faults: [{ record: 2, reason: 'time', text: 'yesterday' }],
  });
  expect((await ask('GET', 'tables/main')).body).not.toContain('weather');

  const made = await ask('POST', PATH, weather('Weather'));
  expect(made.status, JSON.stringify(made.body)).toBe(200);
  expect(made.body).toMatchObject({ hasSecret: true, token: null });
  expect(JSON.stringify(made.body)).not.toContain('a secret word');
  const ran = externalSource.parse((await ask('POST', `${PATH}/${made.body._id}/run`, {})).body);
  expect(ran).toMatchObject({ lastEvents: 1, lastError: expect.stringContaining('yesterday') });
  expect(asked.at(-1)?.authorization).toBe('Bearer a secret word');
  expect(await searched('weather')).toMatchObject({
    totalRecords: 1,
    records: [{ device: ran.device, source: 'station', 'Ambient Temperature': 20.5 }],
  });

  answer.body = JSON.stringify({
    data: [
      { time: '2026-06-01 12:00', air: { temp: 21 }, wind: 4 },
      { time: '2026-06-01T10:05:00Z', air: { temp: 22 }, wind: 4 },
    ],
  });
  expect((await ask('POST', `${PATH}/${made.body._id}/run`, {})).body.lastEvents).toBe(2);
  expect(asked.at(-1)?.url).toContain(encodeURIComponent('2026-06-01T10:00:00.000Z'));
  expect((await ask('POST', `${PATH}/${made.body._id}/run`, {})).body.lastEvents).toBe(0);
  const { records } = await searched('weather');
  expect(records.map((one) => one['Ambient Temperature'])).toEqual([21, 22]);

  const { settings, ced } = (await ask('GET', `devices/main/${ran.device}`)).body;
  expect({ ced, external: settings.externalMeta.external }).toMatchObject({
    ced: true,
    external: [{ table: 'weather', source: 'station', querySource: made.body._id, filters: [] }],
  });
  const entries = (await auditOf(cloud, 'main')).filter((one) => one.controller === 'external-source');
  expect(entries[0]).toMatchObject({ action: 'create', device: ran.device });
  expect(JSON.stringify(await auditOf(cloud, 'main'))).not.toContain('a secret word');
  expect((await ask('GET', `completeness/main/${ran.device}`)).body?.gaps ?? []).toEqual([]);
});

test('the job of the house reads what is due, and a source that fails says why and waits longer', async () => {
  answer = { status: 500, body: 'no' };
  const { body: made } = await ask('POST', PATH, weather('Broken'));
  expect((await ask('POST', `${PATH}/${made._id}/run`, {})).body).toMatchObject({
    lastOkAt: null,
    lastError: 'It answered with status 500.',
  });
  answer = { headers: { location: 'http://127.0.0.1/' }, status: 302 };
  const { lastError, lastRunAt, nextAt } = (await ask('POST', `${PATH}/${made._id}/run`, {})).body;
  expect(lastError).toContain('leads to another address');
  expect(nextAt - lastRunAt).toBe(2 * 15 * 60_000);
  answer = { isCut: true };
  const cut = (await ask('POST', `${PATH}/${made._id}/run`, {})).body;
  expect(cut.lastError).toBe('Its answer ended too early.');
  // One that is asked once a day is asked again the day after, not after two and four of them.
  const pull = { address: `${base}/%E0%A4%A`, everyMinutes: 1440 };
  const { body: daily } = await ask('POST', PATH, weather('Daily', { pull, device: cut.device }));
  for (let i = 0; i < 3; i++) await ask('POST', `${PATH}/${daily._id}/run`, {});
  const late = (await ask('POST', `${PATH}/${daily._id}/run`, {})).body;
  expect(late.lastError).toContain('ended too early');
  expect(late.nextAt - late.lastRunAt).toBe(24 * 60 * 60_000);
});

test.each([
  ['http://10.1.2.3/data', 'not a public address'],
  ['http://169.254.169.254/latest/meta-data', 'not a public address'],
  ['http://[::1]/', 'not a public address'],
  ['https://user:word@example.org/', 'password'],
])('%s is not read', async (address, why) => {
  const tried = await ask('POST', `${PATH}/preview`, weather('Tried', { pull: { address } }));
  expect(tried).toMatchObject({ status: 422, body: { error: 'external_source.unreachable' } });
  expect(tried.body.message).toContain(why);
});

test('a workgroup that has read too often is no failure of its sources, and a person is told', async () => {
  answer.body = JSON.stringify({ data: [] });
  const { body: made } = await ask('POST', PATH, weather('Often', { pull: { address: `${base}/often` } }));
  await ask('POST', `${PATH}/${made._id}/run`, {});
  const quota = vi.spyOn(OutboundQuota.prototype, 'take').mockReturnValue(false);
  try {
    const refused = await ask('POST', `${PATH}/${made._id}/run`, {});
    expect(refused).toMatchObject({ status: 429, body: { error: 'external_source.busy' } });
  } finally {
    quota.mockRestore();
  }
  const [source] = (await ask('GET', PATH)).body.filter(({ _id }: { _id: string }) => _id === made._id);
  expect(source).toMatchObject({ lastError: null, nextAt: expect.any(Number) });
  const runs = (await ask('GET', `${PATH}/${made._id}/runs`)).body;
  expect(runs[0]).toMatchObject({ isFailed: true, error: expect.stringContaining('1000') });
});

test('the secret of a source is not sent to another machine', async () => {
  answer.body = '{"data":[]}';
  const { body: made } = await ask('POST', PATH, weather('Safe'));
  const elsewhere = base.replace('127.0.0.1', '127.0.0.2');
  const pull = { address: `${elsewhere}/`, credential: { kind: 'bearer' } };
  await ask('POST', `${PATH}/preview`, { ...weather('Safe', { pull }), secret: undefined, of: made._id });
  await ask('POST', `${PATH}/preview`, { ...weather('Safe'), secret: undefined, of: made._id });
  expect(asked.map(({ authorization }) => authorization)).toContain('Bearer a secret word');
  expect(asked.filter(({ url }) => url === '/').map(({ authorization }) => authorization)).not.toContain(
    'Bearer a secret word',
  );
});

test('what is pushed with the token is stored, as JSON and as CSV; without it nothing is', async () => {
  const push = { ...weather('Pushed', { kind: 'push', recordsPath: '', pull: null }), secret: undefined };
  const { body: made } = await ask('POST', PATH, { ...push, mapping: { ...mapping, table: 'pushed' } });
  const send = (body: string, type: string, by: string) =>
    fetch(`${cloud.cloud.url}/api/v1/push/${made._id}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${by}`, 'content-type': type },
      body,
    });
  const json = JSON.stringify([{ time: '2026-06-01T10:00:00Z', air: { temp: 5 } }]);
  expect((await send(json, 'application/json', 'push_wrong')).status).toBe(404);
  const first = await send(json, 'application/json', made.token);
  expect(await first.json()).toEqual({ records: 1, events: 1, stored: 1, faults: [] });
  // Whoever pushes hears what was left out, and why.
  const half = [
    { time: 'soon', air: { temp: 5 } },
    { time: '2026-06-01T10:05:00Z', air: { temp: 'warm' } },
  ];
  const answer = await send(JSON.stringify(half), 'application/json', made.token);
  expect(await answer.json()).toMatchObject({
    ...{ records: 2, events: 0, stored: 0 },
    faults: [
      { record: 1, reason: 'time', text: 'soon' },
      { record: 2, reason: 'number', text: expect.stringContaining('warm') },
      { record: 2, reason: 'empty' },
    ],
  });
  expect(
    ((await (await send(json, 'application/json', made.token)).json()) as { stored: number }).stored,
  ).toBe(0);
  // Beyond the limit all or nothing, so that nobody believes that what was cut off is stored.
  const many = Array.from({ length: 10_001 }, (_, i) => ({ time: 1_700_000_000_000 + i, air: { temp: i } }));
  const refused = await send(JSON.stringify(many), 'application/json', made.token);
  expect([refused.status, ((await refused.json()) as { message: string }).message]).toEqual([
    413,
    'A push has up to 10000 records, and this one has 10001. Nothing of it was stored: send it in parts.',
  ]);
  const csv = {
    ...push,
    name: 'Pushed CSV',
    format: 'csv',
    mapping: {
      ...mapping,
      table: 'pushed',
      sourceColumn: 'site',
      fields: [{ column: 'temp', name: 'temp' }],
    },
  };
  const { body: other } = await ask('POST', PATH, csv);
  const sent = await fetch(`${cloud.cloud.url}/api/v1/push/${other._id}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${other.token}`, 'content-type': 'text/csv' },
    body: 'time;site;temp\n2026-06-01T10:00:00Z;a;"1,5"\n2026-06-01T10:00:00Z;b;2\n',
  });
  expect(await sent.json()).toEqual({ records: 2, events: 2, stored: 2, faults: [] });
  expect((await searched('pushed')).totalRecords).toBe(3);
  const renewed = (await ask('POST', `${PATH}/${made._id}/token`, {})).body.token;
  expect((await send(json, 'application/json', made.token)).status).toBe(404);
  expect((await send(json, 'application/json', renewed)).status).toBe(200);
});

test('what is wrong is named, names are unique, and a source that is deleted leaves what it brought', async () => {
  const wrong = await ask('POST', PATH, {
    ...weather(''),
    mapping: { ...mapping, timezone: 'Mars/Base', fields: [] },
  });
  expect(wrong.status).toBe(400);
  expect(wrong.body.issues.map(({ path }: { path: string }) => path)).toEqual(
    expect.arrayContaining(['name', 'mapping.fields']),
  );
  expect((await ask('POST', PATH, weather('Weather'))).body.error).toBe('external_source.name_taken');
  const all = (await ask('GET', PATH)).body as { _id: string; name: string }[];
  const { _id } = all.find(({ name }) => name === 'Weather') ?? { _id: '' };
  expect((await ask('DELETE', `${PATH}/${_id}`)).status).toBe(200);
  expect((await ask('DELETE', `${PATH}/${_id}`)).status).toBe(404);
  expect((await searched('weather')).totalRecords).toBe(2);
  const reader = await cloud.newUser({ main: { role: 'readonly', permissions: ['read'] } });
  expect((await ask('GET', PATH, undefined, reader)).status).toBe(403);
});

test('what is pushed of the future gets the time of its arrival, but in a table of forecasts', async () => {
  const push = { ...weather('Outlook', { kind: 'push', recordsPath: '', pull: null }), secret: undefined };
  const at = Date.now();
  const records = [-1, 30, 40].map((hours) => ({
    time: new Date(at + hours * 3_600_000).toISOString(),
    air: { temp: hours },
  }));
  const pushed = async (table: string) => {
    const body = { ...push, name: table, mapping: { ...mapping, table } };
    const { body: made } = await ask('POST', PATH, body);
    const send = () =>
      fetch(`${cloud.cloud.url}/api/v1/push/${made._id}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${made.token}`, 'content-type': 'application/json' },
        body: JSON.stringify(records),
      });
    expect((await send()).status).toBe(200);
    // A repeat is known, whichever time it got.
    expect(await (await send()).json()).toMatchObject({ stored: 0 });
    return (await searched(table)).records;
  };
  await ask('PUT', 'dataTables/main/outlook/forecasts', { holdsForecasts: true });
  const times = (all: Record<string, unknown>[]) => all.map((one) => Date.parse(String(one.event_time)));
  const own = records.map(({ time }) => Date.parse(time));
  expect(times(await pushed('outlook'))).toEqual(own);
  const measured = await pushed('measured');
  expect(times(measured)[0]).toBe(own[0]);
  expect(times(measured).every((time) => time <= Date.now())).toBe(true);
  const clocks = measured.flatMap(({ device_time }) => (device_time ? [Number(device_time)] : []));
  expect(clocks.toSorted()).toEqual(own.slice(1));
  const list = (await ask('GET', PATH)).body as { name: string; lastError: string | null }[];
  const told = (name: string) => list.find((one) => one.name === name)?.lastError;
  expect(told('outlook')).toBeNull();
  expect(told('measured')).toContain('2 of 3');
});
