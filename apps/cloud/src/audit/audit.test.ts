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
