import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditOf, OWNER, startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

let cloud: TestCloud;
let token = '';
let device = '';
beforeAll(async () => {
  cloud = await startTestCloud();
  token = await cloud.owner();
  device = (await cloud.call('POST', 'devices/main', { token, body: { name: 'Plant' } })).body.id;
  const fields = [
    { name: 'AC Power', type: 'decimal' as const, units: 'kW' },
    { name: 'Output', type: 'decimal' as const },
  ];
  for (const source of ['inv-01', 'inv-02']) {
    const block = {
      workgroup: 'main',
      device,
      stream: { table: 'solar', source, fields },
      rows: [[1, Date.now(), 3, 4]],
    };
    await cloud.cloud.features.telemetry.asSystem('ingest').insert([block as never], randomUUID());
  }
});
afterAll(() => cloud.stop());

const list = async (by = token) =>
  (await cloud.call('GET', `devices/main/${device}/fieldRoles`, { token: by })).body;
const set = (body: object, by = token) =>
  cloud.call('PUT', `devices/main/${device}/fieldRoles`, { token: by, body });
const output = { table: 'solar', source: 'inv-01', field: 'Output' };
const rolesOf = (source: { fields: { field: string; role: string | null }[] }) =>
  Object.fromEntries(source.fields.map(({ field, role }) => [field, role]));

test('roles are guessed, one is corrected for one source alone, and the guess comes back', async () => {
  const [first, second] = await list();
  expect(first).toMatchObject({ source: 'inv-01', kind: 'inverter' });
  expect(rolesOf(first)).toEqual({ 'AC Power': 'acPower', Output: null });
  const { body } = await set({ ...output, choice: { role: 'acPower', units: 'kW', isReversed: true } });
  // A role stands at one field: the guess gives way.
  expect(rolesOf(body)).toEqual({ 'AC Power': null, Output: 'acPower' });
  const [changed, same] = await list();
  expect(changed).toEqual(body);
  expect(same).toEqual(second);
  const audited = expect.objectContaining({
    controller: 'field_roles',
    action: 'set_role',
    attribute: 'Output',
    new_value: 'acPower reversed kW',
    user_id: OWNER.email,
  });
  expect(await auditOf(cloud, 'main')).toContainEqual(audited);
  await set({ ...output, choice: null });
  expect((await list())[0]).toEqual(first);
});

test('a field that the source does not have, an unknown role and a reader are refused', async () => {
  const choice = { role: 'acPower' };
  expect(await set({ ...output, field: 'Nothing', choice })).toMatchObject({
    body: { error: 'table.field_unknown' },
  });
  expect(await set({ ...output, choice: { role: 'luck' } })).toMatchObject({ status: 400 });
  const reader = await cloud.newUser({ main: { role: 'readonly', permissions: ['read'] } });
  expect(await set({ ...output, choice }, reader)).toMatchObject({ status: 403 });
  expect((await list(reader)).length).toBe(2);
});

test('a member of a group of sources neither sees nor corrects the others', async () => {
  const composition = { type: 'SRC', devices: [{ device, sources: ['inv-02'] }] };
  const body = { name: 'second', composition };
  const devGroup = (await cloud.call('POST', 'orgs/main/device-groups', { token, body })).body._id;
  const bound = await cloud.newUser({
    main: { role: 'power', permissions: ['read', 'manageDevices'], devGroup },
  });
  expect((await list(bound)).map(({ source }: { source: string }) => source)).toEqual(['inv-02']);
  const choice = { role: 'dcPower' };
  expect(await set({ ...output, choice }, bound)).toMatchObject({ body: { error: 'table.field_unknown' } });
  expect(await set({ ...output, source: 'inv-02', choice }, bound)).toMatchObject({ status: 200 });
});
