import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditOf, startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

let cloud: TestCloud;
let token = '';
beforeAll(async () => {
  cloud = await startTestCloud();
  token = await cloud.owner();
  await cloud.cloud.features.postgres.query(
    `insert into workgroup_addons (workgroup, id, name) values ('main', 'machines', 'Machines')`,
  );
  await cloud.cloud.features.workgroups.tellChanged('main');
});
afterAll(() => cloud.stop());

const call = (method: string, path: string, body?: unknown, by = token) =>
  cloud.call(method, path, { token: by, ...(body === undefined ? {} : { body }) });

test('a machine is made, its curve comes in order, and a name stands once', async () => {
  const curve = [
    { x: 1000, powerW: 900 },
    { x: 200, powerW: 150 },
  ];
  const { body } = await call('POST', 'machines/main', { name: 'HN', class: 'inverter', powerCurve: curve });
  expect(body).toMatchObject({ name: 'HN', class: 'inverter', maker: '', powerCurve: curve.toReversed() });
  expect(await call('POST', 'machines/main', { name: 'HN' })).toMatchObject({
    status: 409,
    body: { error: 'machine.name_taken' },
  });
  const wrong = await call('POST', 'machines/main', {
    name: 'X',
    roles: { luck: { table: 'a', field: 'b' } },
  });
  expect(wrong).toMatchObject({ status: 400, body: { error: 'request.invalid' } });
  expect((await call('GET', 'machines/main')).body).toEqual([body]);
  expect(await auditOf(cloud, 'main')).toContainEqual(
    expect.objectContaining({ controller: 'machine', action: 'create', entity: `HN (${body._id})` }),
  );
});

test('a machine is put in the place of what it was, and keeps its name for itself', async () => {
  const { body: made } = await call('POST', 'machines/main', { name: 'Before' });
  await call('POST', 'machines/main', { name: 'Taken' });
  const changed = await call('PUT', `machines/main/${made._id}`, { name: 'After', maker: 'Acme' });
  expect(changed).toMatchObject({ status: 200, body: { _id: made._id, name: 'After', maker: 'Acme' } });
  expect(await call('PUT', `machines/main/${made._id}`, { name: 'Taken' })).toMatchObject({
    status: 409,
    body: { error: 'machine.name_taken' },
  });
  expect((await call('GET', 'machines/main')).body).toContainEqual(changed.body);
});

test('entities of a machine that is deleted stay without one', async () => {
  const { body: machine } = await call('POST', 'machines/main', { name: 'Old' });
  await call('POST', 'entities/main', { _id: 'e', name: 'E', machine: machine._id });
  expect(await call('DELETE', `machines/main/${machine._id}`)).toMatchObject({ status: 200 });
  const { body } = await call('GET', 'entities/main');
  expect(body).toMatchObject([{ _id: 'e', machine: null }]);
});

test('readers see machines and change none, and without the addon there are none', async () => {
  const reader = await cloud.newUser({ main: { role: 'readonly', permissions: ['read'] } });
  expect((await call('GET', 'machines/main', undefined, reader)).status).toBe(200);
  expect(await call('POST', 'machines/main', { name: 'No' }, reader)).toMatchObject({ status: 403 });
  const other = await cloud.newUser({ other: { role: 'owner' } });
  expect(await call('GET', 'machines/other', undefined, other)).toMatchObject({
    status: 403,
    body: { error: 'access.addon_missing' },
  });
});
