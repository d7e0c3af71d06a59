import {
  dataTable,
  dataTableDetails,
  retentionPreview,
  storageUse,
} from '@albedo/contract/data-tables/data-tables.schema';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { block } from '../telemetry/telemetry.test-store.ts';
import { connectAgent } from '../testing/fake-agent.ts';
import { auditOf, startTestCloud, type TestCloud } from '../testing/test-cloud.ts';
import { deleteWhatIsTooOld } from './data-tables.jobs.ts';
import { DataTablesStore } from './data-tables.store.ts';

const DAY_MS = 86_400_000;
const NOW = Date.now();

let cloud: TestCloud;
let token = '';
let device = '';
beforeAll(async () => {
  cloud = await startTestCloud();
  token = await cloud.owner();
  const { body } = await cloud.call('POST', 'devices/main', { token, body: { name: 'Roof' } });
  device = body.id;
  const at = (days: number) => NOW - days * DAY_MS;
  await insert(
    block('inverter', { power: 'decimal', state: 'keyword' }, [
      [1, at(400), 1, 'off'],
      [2, at(40), 2, 'on'],
      [3, at(1), 3, 'on'],
    ]),
  );
  await insert(block('inverter', { state: 'decimal' }, [[4, at(0), 7]]));
  await insert(block('meter', { energy: 'decimal' }, [[5, at(2), 9]]));
});
afterAll(() => cloud.stop());

const insert = (one: ReturnType<typeof block>) =>
  cloud.cloud.features.telemetry
    .asSystem('ingest')
    .insert([{ ...one, workgroup: 'main', device }], crypto.randomUUID());

const countOf = async (table: string): Promise<number> =>
  (await cloud.call('GET', `tables/main/${table}/search?rows=0`, { token })).body.totalRecords;

test('tables tell how many events they have, since when, of how many devices and how fast they grow', async () => {
  const { body } = await cloud.call('GET', 'dataTables/main', { token });
  const tables = z.array(dataTable).parse(body);
  expect(tables.find(({ table }) => table === 'inverter')).toMatchObject({
    events: 4,
    devices: 1,
    firstAt: NOW - 400 * DAY_MS,
    lastAt: NOW,
    // Two of them are older than that, though all were stored today.
    eventsPerDay: 2 / 30,
    retentionDays: null,
    isSystem: false,
  });
  expect(tables.every(({ bytes }) => bytes > 0)).toBe(true);
});

test('a field that came as a number and as a text shows both', async () => {
  const { body } = await cloud.call('GET', 'dataTables/main/inverter', { token });
  const { fields } = dataTableDetails.parse(body);
  expect(fields.find(({ field }) => field === 'state')?.types.toSorted()).toEqual(['decimal', 'keyword']);
  expect((await cloud.call('GET', 'dataTables/main/nowhere', { token })).status).toBe(404);
});

test('storage adds up: tables, months and devices have the same events', async () => {
  const { body } = await cloud.call('GET', 'storage/main', { token });
  const { events, bytes, tables, devices, months, bytesInAYear } = storageUse.parse(body);
  const total = (parts: { events: number }[]) => parts.reduce((sum, part) => sum + part.events, 0);
  expect(total(tables)).toBe(events);
  expect(devices.map((one) => one.device)).toContain(device);
  expect([total(months), total(devices)]).toEqual([events, events]);
  expect(bytesInAYear).toBeGreaterThan(bytes);
});

test('a field gets a name and units, and loses them again', async () => {
  const words = { table: 'inverter', field: 'power', displayName: 'AC power', units: 'kW' };
  await cloud.call('PUT', 'dataFields/main', { token, body: words });
  expect((await cloud.call('GET', 'dataFields/main', { token })).body).toEqual([words]);
  const none = { ...words, displayName: null, units: null };
  await cloud.call('PUT', 'dataFields/main', { token, body: none });
  expect((await cloud.call('GET', 'dataFields/main', { token })).body).toEqual([]);
});

test('the audit log is no table of those who may not read it, and stays for ever', async () => {
  await auditOf(cloud, 'main');
  const coordinator = await cloud.newUser({ main: { role: 'power', permissions: ['read', 'coordinate'] } });
  const names = async (by: string) =>
    (await cloud.call('GET', 'dataTables/main', { token: by })).body.map(
      ({ table }: { table: string }) => table,
    );
  expect(await names(token)).toContain('audit_logs');
  expect(await names(coordinator)).not.toContain('audit_logs');
  const kept = await cloud.call('PUT', 'dataTables/main/audit_logs/retention', {
    token,
    body: { retentionDays: 1 },
  });
  expect(kept).toMatchObject({ status: 409, body: { error: 'data_table.system' } });
  const theirs = await cloud.call('PUT', 'dataTables/main/meter/retention', {
    token: coordinator,
    body: { retentionDays: 1 },
  });
  expect(theirs).toMatchObject({ status: 403, body: { error: 'data_table.owners_only' } });
});

test('what is older than a table keeps is gone after the night, and nothing else is', async () => {
  const kept = await cloud.call('PUT', 'dataTables/main/inverter/retention', {
    token,
    body: { retentionDays: 100 },
  });
  expect(kept.body).toEqual({ retentionDays: 100 });
  const { telemetry, postgres } = cloud.cloud.features;
  await deleteWhatIsTooOld({ telemetry, store: new DataTablesStore(postgres) }, NOW);
  expect(await countOf('inverter')).toBe(3);
  expect(await countOf('meter')).toBe(1);
});

test('the workgroup keeps tables without a retention of their own for so long, and says beforehand what goes', async () => {
  const at = (days: number) => NOW - days * DAY_MS;
  await insert(
    block('weather', { wind: 'decimal' }, [
      [20, at(300), 1],
      [21, at(290), 2],
      [22, at(1), 3],
    ]),
  );
  const ask = (query: string, as = token) =>
    cloud.call('GET', `storage/main/retention?${query}`, { token: as });
  const { body } = await ask('days=100');
  const preview = retentionPreview.parse(body);
  // The inverter has a retention of its own.
  expect(preview).toMatchObject({ events: 2, tables: [{ table: 'weather', events: 2 }] });
  expect(preview.months.reduce((sum, { events }) => sum + events, 0)).toBe(2);
  expect((await ask('days=1&table=inverter')).body.tables).toEqual([{ table: 'inverter', events: 1 }]);

  const coordinator = await cloud.newUser({ main: { role: 'power', permissions: ['read', 'coordinate'] } });
  const retain = (retentionDays: number | null, as = token) =>
    cloud.call('PUT', 'storage/main/retention', { token: as, body: { retentionDays } });
  expect((await retain(1, coordinator)).body.error).toBe('data_table.owners_only');
  const byHand = await cloud.call('PUT', 'orgs/main/settings/retention', {
    token,
    body: { value: { days: 1 } },
  });
  expect(byHand).toMatchObject({ status: 409, body: { error: 'workgroup.setting_guarded' } });

  expect((await retain(100)).status).toBe(200);
  expect((await cloud.call('GET', 'orgs/main/settings', { token })).body.retention).toEqual({ days: 100 });
  const { telemetry, postgres } = cloud.cloud.features;
  const night = () => deleteWhatIsTooOld({ telemetry, store: new DataTablesStore(postgres) }, NOW);
  await night();
  expect([await countOf('weather'), await countOf('inverter')]).toEqual([1, 3]);
  await insert(block('weather', { wind: 'decimal' }, [[23, at(280), 4]]));
  await retain(null);
  await night();
  expect(await countOf('weather')).toBe(2);
});

test('a table is deleted by its owner who repeats its name; what comes later is stored', async () => {
  const remove = (phrase: string) =>
    cloud.call('DELETE', 'dataTables/main/meter', { token, body: { phrase } });
  expect(await remove('metre')).toMatchObject({ status: 400, body: { error: 'data_table.phrase_wrong' } });
  expect(await remove('meter')).toMatchObject({ status: 200, body: { kind: 'data-table-removal' } });
  await vi.waitFor(
    async () => expect((await cloud.call('GET', 'tables/main', { token })).body).not.toContain('meter'),
    20_000,
  );
  await insert(block('meter', { energy: 'decimal' }, [[6, NOW, 11]]));
  const { body } = await cloud.call('GET', 'tables/main/meter/search', { token });
  expect(body.records).toMatchObject([{ energy: 11 }]);
  const deleted = expect.objectContaining({ controller: 'data-table', action: 'delete', entity: 'meter' });
  expect(await auditOf(cloud, 'main')).toContainEqual(deleted);
});

test('members of a device group see what their own devices take, and change nothing', async () => {
  const other = await cloud.call('POST', 'devices/main', { token, body: { name: 'Hall' } });
  const group = { name: 'Halls', composition: { type: 'IN', devices: [other.body.id] } };
  const grouped = await cloud.call('POST', 'orgs/main/device-groups', { token, body: group });
  const bound = await cloud.newUser({
    main: { role: 'power', permissions: ['read', 'coordinate'], devGroup: grouped.body._id },
  });
  const { body } = await cloud.call('GET', 'dataTables/main', { token: bound });
  expect(body).toEqual([]);
  expect((await cloud.call('GET', 'storage/main', { token: bound })).body).toMatchObject({ events: 0 });
  expect((await cloud.call('GET', 'dataTables/main/inverter', { token: bound })).status).toBe(404);
  const words = { table: 'inverter', field: 'power', displayName: 'Mine', units: null };
  expect(await cloud.call('PUT', 'dataFields/main', { token: bound, body: words })).toMatchObject({
    status: 403,
    body: { error: 'device_group.bound' },
  });
});

test('a table that holds forecasts has the values of tomorrow at their times, another one those of now; both are told', async () => {
  const agent = await connectAgent(cloud, 'main', 'Weather');
  const at = Date.now();
  const tomorrow = [30, 31, 32].map((hours) => at + hours * 3_600_000);
  const fields = [{ name: 'price', type: 'decimal' as const }];
  const rows = [at, ...tomorrow].map((eventAt, i) => [eventAt, i]);
  const path = 'dataTables/main/prices/forecasts';
  expect((await cloud.call('PUT', path, { token, body: { holdsForecasts: true } })).status).toBe(200);
  await agent.send([
    { table: 'prices', source: 'market', fields, rows },
    { table: 'clock', source: 'market', fields, rows },
  ]);
  await agent.acknowledged();
  const found = async (table: string): Promise<Record<string, string>[]> =>
    (await cloud.call('GET', `tables/main/${table}/search?sort=event_time`, { token })).body.records;
  const timesOf = (records: Record<string, string>[], field = 'event_time') =>
    records.map((one) => Date.parse(one[field] ?? ''));
  expect(timesOf(await found('prices'))).toEqual([at, ...tomorrow]);
  const arrived = await found('clock');
  expect(arrived).toHaveLength(4);
  expect(timesOf(arrived).every((eventAt) => eventAt >= at && eventAt <= Date.now())).toBe(true);
  const own = arrived.flatMap(({ device_time }) => (device_time ? [Number(device_time)] : []));
  expect(own.toSorted()).toEqual(tomorrow);

  const { body } = await cloud.call('GET', `devices/main/${agent.id}/completeness`, { token });
  const ahead = body.streams.map((one: { table: string; ahead: number }) => [one.table, one.ahead]);
  expect(Object.fromEntries(ahead)).toMatchObject({ prices: 0, clock: 3 });
  const { body: tables } = await cloud.call('GET', 'dataTables/main', { token });
  const holds = z
    .array(dataTable)
    .parse(tables)
    .map((one) => [one.table, one.holdsForecasts]);
  expect(Object.fromEntries(holds)).toMatchObject({ prices: true, clock: false });
  const log = (await auditOf(cloud, 'main')).filter(({ attribute }) => attribute === 'forecasts');
  expect(log).toMatchObject([{ entity: 'prices', old_value: 'false', new_value: 'true' }]);
  await agent.leave();
});

test('only who may configure says what holds forecasts, and never of a table of the cloud', async () => {
  const reader = await cloud.newUser({ main: { role: 'readonly', permissions: ['read'] } });
  const body = { holdsForecasts: true };
  const path = (table: string) => `dataTables/main/${table}/forecasts`;
  expect((await cloud.call('PUT', path('meter'), { token: reader, body })).status).toBe(403);
  expect((await cloud.call('PUT', path('audit_logs'), { token, body })).body.error).toBe('data_table.system');
});
