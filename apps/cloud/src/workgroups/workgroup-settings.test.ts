import type { Permission, Role } from '@albedo/contract/access/permissions';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { BrowserSocket } from '../testing/browser-socket.ts';
import { auditOf, startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud.stop());

let wg = '';
let owner = '';
let tests = 0;
beforeEach(async () => {
  wg = `wg-${++tests}`;
  owner = await member('owner');
});

const member = (role: Role, permissions: Permission[] = []) => cloud.newUser({ [wg]: { role, permissions } });
const call = (method: string, path: string, token: string, body?: unknown) =>
  cloud.call(method, `orgs/${wg}${path}`, {
    token,
    body,
    headers: { 'x-forwarded-for': `192.0.2.${tests}` },
  });
const set = (key: string, value: unknown, token = owner) => call('PUT', `/settings/${key}`, token, { value });

describe('a setting of a workgroup', () => {
  test('is set by coordinators, read by every member, and told to everybody in the workgroup at once', async () => {
    const reader = await member('readonly', ['read']);
    const socket = await new BrowserSocket(cloud, { token: reader, orgName: wg }).connected();
    const told = new Promise((resolve) => socket.socket.once('workgroup:changed', resolve));
    expect((await set('defaultPage', '/search')).body).toEqual({ defaultPage: '/search' });
    expect(await told).toEqual({ workgroup: wg });
    expect((await call('GET', '/settings', reader)).body).toEqual({ defaultPage: '/search' });
    expect((await set('defaultPage', '/devices', reader)).status).toBe(403);
    socket.socket.close();
  });

  test('stands in the audit log with the old and the new value, once for each change', async () => {
    await set('defaultPage', '/search');
    await set('defaultPage', '/devices');
    await set('defaultPage', '/devices');
    await set('defaultPage', null);
    expect((await call('GET', '/settings', owner)).body).toEqual({});
    const rows = (await auditOf(cloud, wg)).map(({ attribute, old_value, new_value }) => [
      attribute,
      old_value,
      new_value,
    ]);
    expect(rows).toEqual([
      ['defaultPage', null, '/search'],
      ['defaultPage', '/search', '/devices'],
      ['defaultPage', '/devices', null],
    ]);
  });

  test('loses nothing where labels are added side by side', async () => {
    const { workgroups } = cloud.cloud.features;
    const label = (id: string) => ({ id, name: id, color: '' });
    await Promise.all(['a', 'b', 'c', 'd'].map((id) => workgroups.addLabels(wg, [label(id)])));
    const { labels } = (await call('GET', '/settings', owner)).body;
    expect(labels.map(({ id }: { id: string }) => id).toSorted()).toEqual(['a', 'b', 'c', 'd']);
  });

  test('with an unknown name or a wrong value is refused with a sentence that says so', async () => {
    expect((await set('colour', 'red')).body).toMatchObject({
      code: 404,
      message: expect.stringContaining('no workgroup setting named colour'),
    });
    const refused = {
      defaultPage: 'https://evil.example',
      'dailyEnergy.timezone': 'Mars/Base',
      labels: ['a', 'a'],
    };
    for (const [key, value] of Object.entries(refused)) {
      const { body } = await set(key, value);
      expect(body).toMatchObject({
        code: 400,
        message: expect.stringContaining(`The setting ${key} cannot`),
      });
    }
    for (const label of ['__proto__', { id: '__proto__', name: 'A' }])
      expect((await set('labels', [label])).status).toBe(400);
    expect((await set('__proto__', 1)).status).toBe(404);
    expect((await call('GET', '/settings', owner)).body).toEqual({});
  });

  test('is not for those who see the devices of one group only', async () => {
    const id = (await cloud.cloud.features.sessions.verify(await member('admin', ['coordinate'])))._id;
    const { workgroups, sessions, users } = cloud.cloud.features;
    await workgroups.setMember(wg, id, { role: 'admin', permissions: ['coordinate'], devGroup: 'g' });
    const user = await users.user(id);
    if (!user) throw new Error('the user is gone');
    const token = await sessions.issue(user);
    expect((await set('defaultPage', '/search', token)).body.error).toBe('device_group.bound');
    expect((await call('PUT', '', token, { displayName: 'X' })).body.error).toBe('device_group.bound');
  });
});

test('a workgroup gets another name and another theme, and that of the host again', async () => {
  const theme = { primary: '#102030', title: 'Sun' };
  expect((await call('PUT', '', owner, { displayName: ' Sun & Co ', theme })).body).toMatchObject({
    name: wg,
    displayName: 'Sun & Co',
    theme,
  });
  expect((await cloud.call('GET', 'orgs', { token: owner })).body).toMatchObject([
    { displayName: 'Sun & Co', theme },
  ]);
  expect((await call('PUT', '', owner, { theme: null })).body.theme).toBeNull();
  expect((await call('PUT', '', owner, { theme: { primary: 'red' } })).status).toBe(400);
  expect((await call('PUT', '', owner, {})).status).toBe(400);
  const rows = await auditOf(cloud, wg);
  expect(rows).toMatchObject([
    { attribute: 'displayName', old_value: wg, new_value: 'Sun & Co' },
    { attribute: 'theme', new_value: JSON.stringify(theme) },
    { attribute: 'theme', old_value: JSON.stringify(theme), new_value: null },
  ]);
});
