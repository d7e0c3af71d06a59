import { ADDONS } from '@albedo/contract/workgroups/addons.schema';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { BrowserSocket } from '../testing/browser-socket.ts';
import { auditOf, startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

let cloud: TestCloud;
let manager = '';
beforeAll(async () => {
  cloud = await startTestCloud({
    ALBEDO_STAFF_DOMAINS: 'provider.example',
    ALBEDO_ADDON_MANAGERS: 'Manager@provider.example',
  });
  manager = await cloud.tokenOf('manager@provider.example');
});
afterAll(() => cloud.stop());

let wg = '';
let member = '';
let tests = 0;
beforeEach(async () => {
  wg = `wg-${++tests}`;
  member = await cloud.newUser({ [wg]: { role: 'owner' } });
});

const call = (method: string, path: string, token: string, body?: unknown) =>
  cloud.call(method, `orgs/${wg}/${path}`, {
    token,
    body,
    headers: { 'x-forwarded-for': `192.0.2.${tests}` },
  });
const add = (id: string, settings?: object) =>
  call('POST', 'addons', manager, { id, ...(settings ? { settings } : {}) });
const ofMember = async () => (await cloud.call('GET', 'orgs', { token: member })).body[0].addons;

test('an addon manager enables and disables addons, and everybody in the workgroup hears of it', async () => {
  const socket = await new BrowserSocket(cloud, { token: member, orgName: wg }).connected();
  const told = new Promise((resolve) => socket.socket.once('workgroup:changed', resolve));
  const { status, body } = await add('schedules');
  expect(status).toBe(200);
  expect(body).toHaveLength(Object.keys(ADDONS).length);
  expect(body).toContainEqual(
    expect.objectContaining({ id: 'schedules', name: 'Schedules', isEnabled: true }),
  );
  expect(await told).toEqual({ workgroup: wg });
  expect(await ofMember()).toEqual([{ id: 'schedules', name: 'Schedules', settings: {} }]);
  expect((await add('schedules')).body).toMatchObject({
    code: 409,
    message: 'The workgroup already has the addon Schedules.',
  });
  expect((await call('DELETE', 'addons/schedules', manager)).status).toBe(200);
  expect(await ofMember()).toEqual([]);
  expect((await call('DELETE', 'addons/schedules', manager)).body.error).toBe('addon.not_enabled');
  const rows = (await auditOf(cloud, wg)).filter((row) => row.controller === 'addon');
  expect(rows).toMatchObject([
    { action: 'create', entity: 'schedules', user_id: 'manager@provider.example' },
    { action: 'remove', entity: 'schedules' },
  ]);
  socket.socket.close();
});

test('the addon for machine plugins has settings: labels and plugins, each once', async () => {
  await add('machine-plugins', { labels: ['modbus'] });
  const settings = { labels: ['modbus'], plugins: ['sunspec'] };
  expect((await call('PUT', 'addons/machine-plugins', manager, { settings })).status).toBe(200);
  expect(await ofMember()).toMatchObject([{ id: 'machine-plugins', settings }]);
  const twice = { settings: { labels: ['modbus', 'modbus'] } };
  expect((await call('PUT', 'addons/machine-plugins', manager, twice)).body.message).toContain(
    'Each entry can appear only once.',
  );
});

test('which addons there are is for addon managers alone: other staff and members see what is enabled', async () => {
  const other = await cloud.tokenOf('other@provider.example');
  expect((await call('GET', 'addons-available', manager)).status).toBe(200);
  expect((await call('GET', 'addons-available', other)).status).toBe(403);
  expect((await call('POST', 'addons', other, { id: 'schedules' })).status).toBe(403);
  expect((await call('GET', 'addons-available', member)).status).toBe(403);
  expect((await call('POST', 'addons', member, { id: 'schedules' })).status).toBe(403);
});

test('what does not exist is refused by name', async () => {
  expect((await add('flying')).body.message).toContain('One of these: daily-energy');
  wg = 'nowhere';
  expect((await add('schedules')).body).toMatchObject({
    code: 404,
    message: 'There is no workgroup nowhere.',
  });
});
