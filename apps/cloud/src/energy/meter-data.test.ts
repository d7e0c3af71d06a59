import { randomUUID } from 'node:crypto';
import { energyImportPreview } from '@albedo/contract/energy/energy.schema';
import { writeXlsx } from 'hucre/xlsx';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditOf, startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

let cloud: TestCloud;
let token = '';
let roof = '';
const SITE = randomUUID();
const METERS = {
  codes: [{ code: 'A' }, { code: 'B' }, { code: 'IN', counts: 'import' }],
  sites: [{ id: SITE, name: 'Hill', codes: ['A', 'B'], devices: [] as string[] }],
};

const call = (method: 'GET' | 'PUT' | 'POST', path: string, body?: unknown, by = token) =>
  cloud.call(method, path, { token: by, ...(body === undefined ? {} : { body }) });
const readings = async (by = token) =>
  (await call('GET', 'orgs/main/meter-data?from=2026-01-01&to=2026-12-31', undefined, by)).body.readings;
const sent = (text: string | Uint8Array, plan: object, name = 'readings.csv') => {
  const body = new FormData();
  body.append('plan', JSON.stringify(plan));
  body.append('file', new Blob([text as never]), name);
  return body;
};
const imported = (text: string | Uint8Array, plan: object, name?: string) =>
  call('POST', 'energy/main/imports', sent(text, plan, name));
const previewed = async (text: string | Uint8Array, plan: object, name?: string) => {
  const { body } = await call('POST', 'energy/main/imports/preview', sent(text, plan, name));
  return energyImportPreview.parse(body);
};

beforeAll(async () => {
  cloud = await startTestCloud();
  token = await cloud.owner();
  roof = (await call('POST', 'devices/main', { name: 'Roof' })).body.id;
  const info = { Timezone: 'Europe/Berlin', 'Rated power': '10 kW' };
  await call('PUT', `devices/main/${roof}/settings/info`, { value: info });
  METERS.sites[0]?.devices.push(roof);
  const reply = await call('PUT', 'energy/main/config/meter-data-config', { value: METERS });
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
});
afterAll(() => cloud.stop());

test('readings are stored by code and time, each in the place of what it was, and read again', async () => {
  const day = { 'A|2026-03-01T00:00:00Z': 10, 'A|2026-03-02': 20, 'B|2026-03-01': 5, __granularity: 'day' };
  expect((await call('PUT', 'orgs/main/meter-data', day)).body).toEqual({ stored: 3 });
  await call('PUT', 'orgs/main/meter-data', { 'A|2026-03-02': 21, __granularity: 'day' });
  const at = Date.parse('2026-03-02');
  expect(await readings()).toContainEqual({ code: 'A', at, granularity: 'day', energyKWh: 21, marks: [] });
  expect(await readings()).toHaveLength(3);
  expect(await auditOf(cloud, 'main')).toContainEqual(
    expect.objectContaining({ controller: 'energy', entity: 'meter-data', new_value: '3 readings by day' }),
  );
});

test('what cannot be a reading is refused with its key, and nothing of it is stored', async () => {
  const before = await readings();
  const many = Object.fromEntries(
    Array.from({ length: 501 }, (_, i) => [`A|20${10 + (i % 80)}-01-0${1 + (i % 9)}`, 1]),
  );
  for (const [body, why] of [
    [{ 'A|2026-04-01': 1, 'C|2026-04-01': 1 }, 'There is no meter code called C.'],
    [{ 'A|2026-04-01': 1, __granularity: 'minute' }, 'Choose one of these: 15m, 30m, hour, day, month.'],
    [{ 'A|2026-04-01': -1 }, '-1 is not an energy'],
    [{ 'A|2026-04-01': 'much' }, 'much is not an energy'],
    [{ 'A|2026-04-01': 1, 'A|2026-04-01T00:00:00Z': 1 }, 'stands here twice'],
    [{ 'A|2026-03-29T02:00': 1, __granularity: 'hour' }, 'clocks were changed'],
    [{ 'A|2026-10-25T02:00': 1, __granularity: 'hour' }, 'exists twice'],
    [{ 'A|2026-04-01T10:30': 1, __granularity: 'hour' }, 'no start of such an interval'],
    [{ 'A|2026-04-01T25:99Z': 1 }, 'is not a time'],
    [{ 'A|tomorrow': 1 }, 'tomorrow is not a time'],
    [{ A: 1 }, 'A key is written as code'],
    [
      Object.fromEntries(Array.from({ length: 501 }, (_, i) => [`A|${2000 + i}-01-01`, 1])),
      'At most 500 keys',
    ],
  ] as const) {
    const reply = await call('PUT', 'orgs/main/meter-data', body);
    expect(reply, why).toMatchObject({ status: 400, body: { error: 'request.invalid' } });
    expect(reply.body.message).toContain(why);
  }
  expect(Object.keys(many).length).toBeGreaterThan(0);
  expect(await readings()).toEqual(before);
});

test('more than the plant can give is stored and marked', async () => {
  const reply = await call('PUT', 'orgs/main/meter-data', { 'B|2026-05-01': 9999, __granularity: 'day' });
  expect(reply.status).toBe(200);
  // Ten kW are known of the device, but it has no inverters yet that they would be of.
  expect(
    (await readings()).find(
      ({ code, at }: { code: string; at: number }) => code === 'B' && at === Date.parse('2026-05-01'),
    ),
  ).toMatchObject({ energyKWh: 9999 });
});

test('budgets are of devices and sites, by id or by name', async () => {
  const body = { 'Roof|2026-05': 400, [`${SITE}|2026-05`]: { energyKWh: 410, performanceRatio: 0.8 } };
  expect((await call('PUT', 'orgs/main/budget-data', body)).body).toEqual({ stored: 2 });
  const kept = (await call('GET', 'orgs/main/budget-data?from=2026-01&to=2026-12')).body.budgets;
  expect(kept).toContainEqual({
    ...{ subject: roof, month: '2026-05', energyKWh: 400 },
    ...{ performanceRatio: null, irradiationKWhM2: null },
  });
  expect(kept).toHaveLength(2);
  expect((await call('PUT', 'orgs/main/budget-data', { 'Nobody|2026-05': 1 })).body.message).toContain(
    'Nobody',
  );
  expect((await call('PUT', 'orgs/main/budget-data', { 'Roof|2026-13': 1 })).body.message).toContain(
    '2026-13',
  );
});

test('readings of a day count once, whatever their intervals are; a month is spread over the days that have none', async () => {
  await call('PUT', 'orgs/main/meter-data', { 'A|2026-10-01': 3100, __granularity: 'month' });
  await call('PUT', 'orgs/main/meter-data', { 'A|2026-10-01': 24, 'A|2026-10-02': 10, __granularity: 'day' });
  await call('PUT', 'orgs/main/meter-data', { 'A|2026-10-01T10:15': 7, __granularity: '15m' });
  const { body } = await call(
    'GET',
    'energy/main/reports/energy?from=2026-10-01&to=2026-10-31&granularity=month',
  );
  expect(body.total.values.meter).toBeCloseTo(24 + 10 + 29 * 100, 6);
  const first = await call('GET', 'energy/main/reports/energy?from=2026-10-01&to=2026-10-03');
  expect(first.body.total.values.meter).toBeCloseTo(24 + 10 + 100, 6);
});

test('a day that is written as its instant is the day of its meter', async () => {
  await call('PUT', 'orgs/main/meter-data', { 'A|2026-08-31T22:00:00Z': 5, __granularity: 'day' });
  expect(await readings()).toContainEqual(
    expect.objectContaining({ at: Date.parse('2026-09-01'), energyKWh: 5 }),
  );
  const reply = await call('PUT', 'orgs/main/meter-data', {
    'A|2026-08-31T21:00:00Z': 5,
    __granularity: 'day',
  });
  expect(reply.status).toBe(400);
});

test('days that no calendar of reports has are refused', async () => {
  for (const span of ['from=9999-12-01&to=9999-12-31', 'from=0000-01-01&to=0000-01-02&compare=before'])
    expect((await call('GET', `energy/main/reports/energy?${span}`)).status, span).toBe(400);
});

test('a file is previewed, stored whole, and taken back', async () => {
  const text = 'code;datetime;kWh\nA;2026-06-01;1,5\nA;2026-06-02;2,5\nB;2026-06-01;12\nA;2026-03-02;7\n';
  const preview = await previewed(text, { kind: 'meter' });
  expect(preview).toMatchObject({ layout: 'long', asks: [], readings: 4, replaces: 1, faultCount: 0 });
  expect(preview.plan).toMatchObject({ granularity: 'day', decimal: ',', times: 'start' });
  const before = await readings();
  const { body, status } = await imported(text, { kind: 'meter' });
  expect(status, JSON.stringify(body)).toBe(200);
  expect(await readings()).toContainEqual(
    expect.objectContaining({ at: Date.parse('2026-06-02'), energyKWh: 2.5 }),
  );
  expect((await call('GET', 'energy/main/imports')).body[0]).toMatchObject({
    id: body.id,
    readings: 4,
    undoneAt: null,
  });
  expect((await call('POST', `energy/main/imports/${body.id}/undo`, {})).status).toBe(200);
  expect(await readings()).toEqual(before);
  expect((await call('POST', `energy/main/imports/${body.id}/undo`, {})).body.error).toBe(
    'energy.import_undone',
  );
});

test('an import with newer values in its place is not taken back', async () => {
  const { body } = await imported('code,datetime,kWh\nA,2026-07-01,3\n', { kind: 'meter' });
  await call('PUT', 'orgs/main/meter-data', { 'A|2026-07-01': 4, __granularity: 'day' });
  const reply = await call('POST', `energy/main/imports/${body.id}/undo`, {});
  expect(reply).toMatchObject({ status: 409, body: { error: 'energy.import_overwritten' } });
});

test('a column for each meter is read as well, and times at the end of their hour are moved', async () => {
  const text = 'datetime,A,B\n2026-08-01T01:00:00Z,1,2\n2026-08-01T02:00:00Z,3,\n';
  const asks = await previewed(text, { kind: 'meter' });
  expect(asks).toMatchObject({ layout: 'wide', asks: ['times'], plan: { granularity: 'hour' } });
  expect((await imported(text, { kind: 'meter' })).body.error).toBe('energy.import_unclear');
  await imported(text, { kind: 'meter', times: 'end' });
  const own = (await readings()).filter(({ granularity }: { granularity: string }) => granularity === 'hour');
  expect(
    own.map(({ code, at }: { code: string; at: number }) => `${code} ${new Date(at).toISOString()}`),
  ).toEqual(['A 2026-08-01T00:00:00.000Z', 'A 2026-08-01T01:00:00.000Z', 'B 2026-08-01T00:00:00.000Z']);
});

test('numbers that can be read in two ways are asked about, and faults have their lines', async () => {
  const unclear = 'code,datetime,kWh\nA,2026-09-01,"1,234"\n';
  expect(await previewed(unclear, { kind: 'meter', granularity: 'day' })).toMatchObject({
    asks: ['decimal'],
    faultCount: 0,
  });
  const english = await previewed(unclear, { kind: 'meter', granularity: 'day', decimal: '.' });
  expect(english.sample).toEqual([{ key: 'A|2026-09-01T00:00:00.000Z', energyKWh: 1234 }]);
  const faulty =
    'code,datetime,kWh\nA,2026-09-01,1\nX,2026-09-01,1\nA,2026-09-31,1\nA,2026-09-02,-1\nA,2026-09-01,2\n';
  const { faults, faultCount } = await previewed(faulty, { kind: 'meter', granularity: 'day' });
  expect(faults.map(({ line, fault }) => [line, fault])).toEqual([
    [3, 'issue.energy_code'],
    [4, 'issue.energy_time'],
    [5, 'issue.energy_number'],
    [6, 'issue.energy_twice'],
  ]);
  expect(faultCount).toBe(4);
  const before = await readings();
  const reply = await imported(faulty, { kind: 'meter', granularity: 'day' });
  expect(reply).toMatchObject({ status: 422, body: { error: 'energy.import_faulty' } });
  expect(reply.body.message).toContain('line 3');
  expect(await readings()).toEqual(before);
});

test('a spreadsheet is read, one that unpacks to too much or has macros is not', async () => {
  const rows = [
    ['code', 'datetime', 'kWh'],
    ['A', '2026-11-01', 4.25],
    ['A', '2026-11-02', 5],
  ];
  const sheet = await writeXlsx({ sheets: [{ name: 'Meters', rows }] });
  const preview = await previewed(sheet, { kind: 'meter' }, 'meters.xlsx');
  expect(preview).toMatchObject({ layout: 'long', readings: 2, asks: [], faultCount: 0 });
  expect(preview.sample[0]).toEqual({ key: 'A|2026-11-01T00:00:00.000Z', energyKWh: 4.25 });
  const bomb = Buffer.from(sheet);
  const entry = bomb.indexOf(Buffer.from([0x50, 0x4b, 1, 2]));
  bomb.writeUInt32LE(0x7fffffff, entry + 24);
  expect((await imported(bomb, { kind: 'meter' }, 'meters.xlsx')).body).toMatchObject({
    error: 'energy.import_unreadable',
  });
  const macros = await writeXlsx({ sheets: [{ name: 'Meters', rows }], vbaProject: new Uint8Array([1]) });
  expect((await imported(macros, { kind: 'meter' }, 'meters.xlsx')).body.message).toContain('macros');
});

test('members of a device group read of meters and budgets what is wholly theirs, and write nothing', async () => {
  const other = (await call('POST', 'devices/main', { name: 'Shed' })).body.id;
  const group = async (devices: string[]) => {
    const body = { name: randomUUID(), composition: { type: 'IN', devices } };
    const { _id: devGroup } = (await call('POST', 'orgs/main/device-groups', body)).body;
    return cloud.newUser({ main: { role: 'power', permissions: ['read', 'coordinate'], devGroup } });
  };
  const [own, none] = [await group([roof]), await group([other])];
  expect((await readings(own)).length).toBeGreaterThan(0);
  expect(await readings(none)).toEqual([]);
  const budgetsOf = async (by: string) =>
    (await call('GET', 'orgs/main/budget-data?from=2026-01&to=2026-12', undefined, by)).body.budgets.length;
  expect([await budgetsOf(own), await budgetsOf(none)]).toEqual([2, 0]);
  const reply = await call('PUT', 'orgs/main/meter-data', { 'A|2026-01-01': 1 }, own);
  expect(reply.body.error).toBe('device_group.bound');
});
