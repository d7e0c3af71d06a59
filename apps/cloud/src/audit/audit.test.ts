import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditOf, OWNER, startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

let cloud: TestCloud;
let device: string;
beforeAll(async () => {
  cloud = await startTestCloud();
  const reply = await cloud.call('POST', 'devices/main', {
    token: await cloud.owner(),
    body: { name: 'Audited' },
  });
  device = reply.body.id;
  await auditOf(cloud, 'main');
});
afterAll(() => cloud.stop());

const SEARCH = 'tables/main/audit_logs/search';

test('every entry has the columns of the audit log, and a sign-in tells from where', async () => {
  const headers = { 'x-forwarded-for': '203.0.113.9' };
  await cloud.call('POST', 'auth/local', { body: OWNER, headers });
  await cloud.call('POST', 'auth/local', { body: { ...OWNER, password: 'a wrong one' }, headers });
  await expect
    .poll(async () => (await auditOf(cloud, 'main')).filter((row) => row.controller === 'auth').length)
    .toBe(2);
  const rows = await auditOf(cloud, 'main');
  expect(rows).toContainEqual(expect.objectContaining({ action: 'create', device, status: 'success' }));
  expect(rows.filter((row) => row.controller === 'auth')).toMatchObject([
    { action: 'login', entity: 'user', user_id: OWNER.email, status: 'success', address: '203.0.113.9' },
    { action: 'login', status: 'failed' },
  ]);
  expect(JSON.stringify(rows)).not.toContain('a wrong one');
});

const page = async (query: Record<string, string | number>, token?: string) => {
  const asked = new URLSearchParams(
    Object.entries(query).map(([key, value]): [string, string] => [key, String(value)]),
  );
  return cloud.call('GET', `orgs/main/audit?${asked}`, { token: token ?? (await cloud.owner()) });
};
const idsOf = (body: { entries: { id: string }[] }) => body.entries.map(({ id }) => id);

test('it is read page by page, newest first, each entry once, also where many share an instant', async () => {
  const at = Date.now() + 1000;
  for (let i = 0; i < 25; i++)
    cloud.cloud.features.audit.record({
      workgroup: 'main',
      at,
      controller: 'many',
      entity: `${i}`,
      action: 'test',
    });
  const seen: string[] = [];
  let before: string | null = null;
  do {
    const { body } = await page({ controller: 'many', rows: 10, ...(before ? { before } : {}) });
    seen.push(...idsOf(body));
    before = body.next;
  } while (before !== null);
  expect(seen.length).toBe(25);
  expect(new Set(seen).size).toBe(25);
});

test('it is searched by time, person, action, component and any text', async () => {
  const at = Date.UTC(2025, 4, 1);
  const { audit } = cloud.cloud.features;
  const entry = { workgroup: 'main', at, controller: 'searched', entity: 'E', action: 'one' };
  audit.record({ ...entry, by: 'Ann@example.org', oldValue: 'Straße 1', newValue: '100%' });
  audit.record({ ...entry, at: at + 1000, action: 'two', by: 'bob@example.org', address: '203.0.113.7' });
  const found = async (query: Record<string, string | number>) =>
    ((await page({ controller: 'searched', ...query })).body.entries as { action: string }[]).map(
      (one) => one.action,
    );
  expect(await found({})).toEqual(['two', 'one']);
  expect(await found({ by: 'ann@' })).toEqual(['one']);
  expect(await found({ action: 'two' })).toEqual(['two']);
  expect(await found({ from: at, to: at + 1000 })).toEqual(['one']);
  expect(await found({ q: 'STRASSE' })).toEqual([]);
  expect(await found({ q: 'straße' })).toEqual(['one']);
  expect(await found({ q: '%' })).toEqual(['one']);
  expect(await found({ q: '203.0' })).toEqual(['two']);
  const { body } = await cloud.call('GET', 'orgs/main/audit/choices', { token: await cloud.owner() });
  expect(body.controllers).toContain('searched');
  expect((await page({ before: 'nonsense' })).status).toBe(400);
});

test('what concerns a device tells its name of today, and is found by it', async () => {
  const token = await cloud.owner();
  const { body: made } = await cloud.call('POST', 'devices/main', { token, body: { name: 'First name' } });
  await cloud.call('PUT', `devices/main/${made.id}`, { token, body: { name: 'Weighbridge 4' } });
  const { body } = await page({ q: 'WEIGHBRIDGE', action: 'create' });
  expect(body.entries).toEqual([
    expect.objectContaining({ entity: 'device', device: made.id, deviceName: 'Weighbridge 4' }),
  ]);
  const info = { Latitude: '47.1' };
  await cloud.call('PUT', `devices/main/${made.id}/settings/info`, { token, body: { value: info } });
  await cloud.call('PUT', `devices/main/${made.id}/settings/secret`, { token, body: { value: 'Rumpel' } });
  const { body: set } = await page({ q: 'weighbridge', action: 'setting' });
  expect(set.entries).toMatchObject([
    { attribute: 'secret', oldValue: null, newValue: null },
    { attribute: 'info', oldValue: '{}', newValue: '{"Latitude":"47.1"}' },
  ]);
  const { body: ofIt } = await page({ device: made.id });
  expect(ofIt.entries.map((one: { action: string }) => one.action)).toEqual([
    'setting',
    'setting',
    'rename',
    'create',
  ]);
  expect((await page({ device: 'x' })).status).toBe(400);
  await cloud.call('DELETE', `devices/main/${made.id}`, { token });
  const { body: after } = await page({ q: 'First name', action: 'create' });
  expect(after.entries).toEqual([
    expect.objectContaining({ device: made.id, deviceName: null, newValue: 'First name' }),
  ]);
});

test('members of a device group see only what concerns its devices', async () => {
  const token = await cloud.owner();
  const body = { name: 'Audited ones', composition: { type: 'IN', devices: [device] } };
  const { body: group } = await cloud.call('POST', 'orgs/main/device-groups', { token, body });
  await cloud.call('POST', 'devices/main', { token, body: { name: 'Not in the group' } });
  const reader = await cloud.newUser({ main: { role: 'readonly', permissions: ['read', 'audit'] } });
  const { sessions, users, postgres } = cloud.cloud.features;
  const { _id, email } = await sessions.verify(reader);
  await postgres.query(`update members set dev_group = '${group._id}' where user_id = '${_id}'`);
  const bound = await sessions.issue((await users.userByEmail(email)) as never);
  const { body: seen } = await page({ rows: 1000 }, bound);
  expect(new Set(seen.entries.map((one: { device: string }) => one.device))).toEqual(new Set([device]));
});

test('what concerns no workgroup is in the log of the provider, which the staff alone reads', async () => {
  const staffed = await startTestCloud({ ALBEDO_STAFF_DOMAINS: 'provider.example' });
  const staff = await staffed.tokenOf('ann@provider.example', 'Ann');
  const headers = { 'x-forwarded-for': '203.0.113.9' };
  const body = { email: 'nobody@example.org', password: 'whatever it is' };
  await staffed.call('POST', 'auth/local', { body, headers });
  await staffed.newUser({});
  const log = () => staffed.call('GET', 'opsteam/audit', { token: staff });
  await expect.poll(async () => (await log()).body.entries.length).toBeGreaterThan(0);
  expect((await log()).body.entries).toContainEqual(
    expect.objectContaining({
      entity: 'nobody@example.org',
      action: 'login',
      status: 'failed',
      address: '203.0.113.9',
    }),
  );
  expect(JSON.stringify((await log()).body)).not.toContain('whatever it is');
  expect((await staffed.call('GET', 'opsteam/audit', { token: await staffed.owner() })).status).toBe(403);
  expect((await staffed.call('GET', 'orgs/_provider/audit', { token: staff })).status).toBeGreaterThanOrEqual(
    400,
  );
  await staffed.stop();
});

test.each([
  ['an owner', 'owner', [], true],
  ['a holder of audit', 'readonly', ['read', 'audit'], true],
  ['anybody else', 'admin', ['read', 'coordinate', 'manageDevices'], false],
] as const)('%s sees it: by table, search, chart and source', async (_name, role, permissions, maySee) => {
  const token = await cloud.newUser({ main: { role, permissions: [...permissions] } });
  const { body: tables } = await cloud.call('GET', 'tables/main', { token });
  expect(tables.includes('audit_logs')).toBe(maySee);
  for (const path of ['tables/main/audit_logs', SEARCH])
    expect((await cloud.call('GET', path, { token })).status === 403, path).toBe(!maySee);
  const series = [{ device, table: 'audit_logs', source: 'cloud', field: 'action' }];
  const chart = await cloud.call('POST', 'series/main', { token, body: { from: 0, to: 1000, series } });
  expect(chart.status === 403).toBe(!maySee);
  const { body: sources } = await cloud.call('GET', `devices/main/${device}/sources`, { token });
  const names = (sources as { table: string }[]).map(({ table }) => table);
  if (!maySee) expect(names).not.toContain('audit_logs');
});
