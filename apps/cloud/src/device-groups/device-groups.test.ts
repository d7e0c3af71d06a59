import type { Composition, DeviceGroup } from '@albedo/contract/device-groups/device-groups.schema';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ALL_DEVICES } from '../access/device-scope.ts';
import { BrowserSocket } from '../testing/browser-socket.ts';
import { auditOf, startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud.stop());

/** Each test has a workgroup of its own, with three devices in it. */
let wg = '';
let tests = 0;
let owner = '';
const ids = { roof: '', yard: '', barn: '' };
const sockets: BrowserSocket[] = [];
beforeEach(async () => {
  wg = `wg-${++tests}`;
  owner = await cloud.newUser({ [wg]: { role: 'owner' } });
  for (const name of ['roof', 'yard', 'barn'] as const) ids[name] = await addDevice(name);
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.close();
});

async function addDevice(name: string, info: Record<string, string> = {}): Promise<string> {
  const { devices } = cloud.cloud.features;
  const { id } = await devices.create(wg, { name, arch: 'arm64', ced: false }, null);
  await devices.setSetting({ workgroup: wg, id, scope: ALL_DEVICES }, 'info', info, null);
  return id;
}
const call = (method: string, path: string, token: string, body?: unknown) =>
  cloud.call(method, path, { token, body });
const make = (composition: Composition, name = 'North') =>
  call('POST', `orgs/${wg}/device-groups`, owner, { name, composition });
async function group(composition: Composition, name?: string): Promise<DeviceGroup> {
  return (await make(composition, name)).body;
}
const change = ({ _id, name }: DeviceGroup, composition: Composition) =>
  call('PUT', `orgs/${wg}/device-groups/${_id}`, owner, { name, composition });
const memberOf = ({ _id }: DeviceGroup, more: object = {}) =>
  cloud.newUser({ [wg]: { role: 'power', permissions: ['read', 'manageDevices'], devGroup: _id, ...more } });
const seen = async (token: string): Promise<string[]> =>
  (await call('GET', `devices/${wg}`, token)).body.map(({ name }: { name: string }) => name);
const tell = async (device: string, table: string, source: string, fields: Record<string, number>) => {
  const names = Object.keys(fields);
  await cloud.cloud.features.telemetry.asSystem('ingest').insert(
    [
      {
        workgroup: wg,
        device,
        stream: { table, source, fields: names.map((name) => ({ name, type: 'decimal' as const })) },
        rows: [[++numbers, AT + numbers, ...Object.values(fields)]],
      },
    ],
    crypto.randomUUID(),
  );
};
let numbers = 0;
const AT = 1_750_000_000_000;
async function socketOf(token: string): Promise<BrowserSocket> {
  const socket = await new BrowserSocket(cloud, { token, orgName: wg }).connected();
  sockets.push(socket);
  return socket;
}

describe('compositions', () => {
  test('IN are the devices it names', async () => {
    const token = await memberOf(await group({ type: 'IN', devices: [ids.roof, ids.barn] }));
    expect(await seen(token)).toEqual(['barn', 'roof']);
  });

  test('NOT IN are all others, and a new device joins by itself', async () => {
    const token = await memberOf(await group({ type: 'NOT IN', devices: [ids.roof] }));
    expect(await seen(token)).toEqual(['barn', 'yard']);
    await addDevice('shed');
    expect(await seen(token)).toEqual(['barn', 'shed', 'yard']);
  });

  test('META follows the general information; a device without the field fits !=', async () => {
    const site = { type: 'META', field: 'Site', value: 'Hill' } as const;
    const [is, isNot] = [
      await memberOf(await group({ ...site, operator: '=' })),
      await memberOf(await group({ ...site, operator: '!=' }, 'South')),
    ];
    expect([await seen(is), await seen(isNot)]).toEqual([[], ['barn', 'roof', 'yard']]);
    await call('PUT', `devices/${wg}/${ids.yard}/settings/info`, owner, { value: { Site: 'Hill' } });
    expect([await seen(is), await seen(isNot)]).toEqual([['yard'], ['barn', 'roof']]);
  });

  test('SRC are devices with some of their sources, in tables, values, counts and searches', async () => {
    await tell(ids.roof, 'solar', 'inverter 1', { power: 1 });
    await tell(ids.roof, 'solar', 'inverter 2', { power: 2, secret: 9 });
    await tell(ids.roof, 'meter', 'grid', { import: 3 });
    await tell(ids.yard, 'weather', 'mast', { wind: 4 });
    const devices = [{ device: ids.roof, sources: ['inverter 1'] }];
    const token = await memberOf(await group({ type: 'SRC', devices }));
    expect(await seen(token)).toEqual(['roof']);
    expect((await call('GET', `tables/${wg}`, token)).body).toEqual(['solar']);
    const { body: table } = await call('GET', `tables/${wg}/solar`, token);
    expect(table.fields.map(({ name }: { name: string }) => name)).not.toContain('secret');
    const { body } = await call('GET', `tables/${wg}/solar/search?aggs=${COUNT_BY_SOURCE}`, token);
    expect(body).toMatchObject({ totalRecords: 1, records: [{ source: 'inverter 1', power: 1 }] });
    expect(body.aggregations.sources.buckets).toEqual([expect.objectContaining({ key: 'inverter 1' })]);
    const { body: sources } = await call('GET', `devices/${wg}/${ids.roof}/sources`, token);
    expect(sources.map(({ source }: { source: string }) => source)).toEqual(['inverter 1']);
    const series = ['inverter 1', 'inverter 2'].map((source) => ({
      device: ids.roof,
      table: 'solar',
      source,
      field: 'power',
    }));
    const points = await call('POST', `series/${wg}`, token, { from: AT, to: AT + 1000, series });
    expect(points.body.map(({ avg }: { avg: number[] }) => avg)).toEqual([[1], []]);
    const hidden = await call('POST', `series/${wg}`, token, {
      from: AT,
      to: AT + 1000,
      series: [{ ...series[0], field: 'secret' }],
    });
    expect(hidden.body.error).toBe('table.field_unknown');
    expect((await call('GET', `tables/${wg}/weather`, token)).body.error).toBe('table.not_found');
  });

  test('a field that a visible device had once is there, although its newest event is without it', async () => {
    await tell(ids.roof, 'solar', 'inverter', { power: 1, early: 7 });
    await tell(ids.roof, 'solar', 'inverter', { power: 2 });
    await tell(ids.yard, 'solar', 'inverter', { power: 3, foreign: 8 });
    const token = await memberOf(await group({ type: 'IN', devices: [ids.roof] }));
    const { body } = await call('GET', `tables/${wg}/solar`, token);
    const names = body.fields.map(({ name }: { name: string }) => name);
    expect(names).toContain('early');
    expect(names).not.toContain('foreign');
    const filter = JSON.stringify({ field: 'foreign', operator: 'EXISTS' });
    const reply = await call('GET', `tables/${wg}/solar/search?filters=${filter}`, token);
    expect(reply.body.error).toBe('table.field_unknown');
  });
});

describe('groups', () => {
  test('are named once, and hold devices of their own workgroup alone', async () => {
    await group({ type: 'IN', devices: [ids.roof] });
    expect(await make({ type: 'IN', devices: [] })).toMatchObject({
      status: 409,
      body: { error: 'device_group.name_taken' },
    });
    const before = wg;
    wg = `${wg}-other`;
    await cloud.newUser({ [wg]: { role: 'owner' } });
    const foreign = await addDevice('foreign');
    wg = before;
    const reply = await make({ type: 'IN', devices: [foreign] }, 'South');
    expect(reply).toMatchObject({
      status: 400,
      body: { message: `This workgroup has no device ${foreign}.` },
    });
  });

  test('that are used are not deleted, and the refusal says by how many', async () => {
    const north = await group({ type: 'IN', devices: [ids.roof] });
    await memberOf(north);
    await call('POST', `orgs/${wg}/members`, owner, {
      email: `${crypto.randomUUID()}@example.org`,
      devGroup: north._id,
    });
    const path = `orgs/${wg}/device-groups/${north._id}`;
    const refused = await call('DELETE', path, owner);
    expect(refused).toMatchObject({
      status: 409,
      body: {
        message:
          'This device group is still in use (members: 1, invites: 1, API tokens: 0). Remove them from it first.',
      },
    });
    const [listed] = (await call('GET', `orgs/${wg}/device-groups`, owner)).body;
    expect(listed).toMatchObject({ name: 'North', devices: 1, members: 1, invites: 1, tokens: 0 });
    const empty = await group({ type: 'IN', devices: [] }, 'Empty');
    expect((await call('DELETE', `orgs/${wg}/device-groups/${empty._id}`, owner)).status).toBe(200);
    expect((await call('DELETE', `orgs/${wg}/device-groups/${empty._id}`, owner)).status).toBe(404);
  });

  test('that do not exist show nothing', async () => {
    const token = await cloud.newUser({ [wg]: { role: 'owner', devGroup: crypto.randomUUID() } });
    expect(await seen(token)).toEqual([]);
    expect((await call('GET', `devices/${wg}/${ids.roof}`, token)).status).toBe(404);
  });

  test('leave old and new composition in the audit log', async () => {
    const north = await group({ type: 'IN', devices: [ids.roof] });
    await change(north, { type: 'NOT IN', devices: [ids.roof] });
    const rows = (await auditOf(cloud, wg)).filter(({ controller }) => controller === 'device_group');
    expect(rows).toMatchObject([
      { action: 'create', entity: 'North' },
      {
        action: 'update',
        attribute: 'composition',
        old_value: expect.stringContaining('"IN"'),
        new_value: expect.stringContaining('"NOT IN"'),
      },
    ]);
  });

  test('show their members only their own group, without the devices that do not exist for them', async () => {
    const north = await group({ type: 'NOT IN', devices: [ids.roof] });
    await group({ type: 'IN', devices: [ids.roof] }, 'South');
    const token = await memberOf(north);
    const { body } = await call('GET', `orgs/${wg}/device-groups`, token);
    expect(body).toMatchObject([{ name: 'North', composition: { type: 'NOT IN', devices: [] } }]);
  });
});

describe('a member of a device group', () => {
  test('makes no device, renames none, and does not change the workgroup, whatever their permissions', async () => {
    const token = await memberOf(await group({ type: 'IN', devices: [ids.roof] }), {
      role: 'admin',
      permissions: ['read', 'manageDevices', 'manageAccess', 'coordinate'],
    });
    const refused = [
      await call('POST', `devices/${wg}`, token, { name: 'shed' }),
      await call('PUT', `devices/${wg}/${ids.roof}`, token, { name: 'yard' }),
      await call('PUT', `orgs/${wg}/mfa`, token, { required: true }),
      await call('POST', `orgs/${wg}/device-groups`, token, {
        name: 'Mine',
        composition: { type: 'NOT IN', devices: [] },
      }),
    ];
    expect(refused.map(({ status, body }) => [status, body.error])).toEqual(
      refused.map(() => [403, 'device_group.bound']),
    );
  });

  test('edits metadata, but not what decides about a group', async () => {
    await group({ type: 'META', field: 'Site', operator: '=', value: 'Hill' }, 'Hill');
    const token = await memberOf(await group({ type: 'IN', devices: [ids.roof] }));
    const path = `devices/${wg}/${ids.roof}/settings/info`;
    const good = await call('PUT', path, token, { value: { Contact: 'Zoe' } });
    expect(good.status).toBe(200);
    const bad = await call('PUT', path, token, { value: { Contact: 'Zoe', Site: 'Hill' } });
    expect(bad).toMatchObject({ status: 403, body: { error: 'device_group.decides' } });
    expect(bad.body.message).toContain('Site');
  });

  test('manages only people of the same group, and takes nobody out of it', async () => {
    const north = await group({ type: 'IN', devices: [ids.roof] });
    const boss = await memberOf(north, { permissions: ['read', 'manageAccess'] });
    const idOf = async (token: string) => (await cloud.cloud.features.sessions.verify(token))._id;
    const mate = await idOf(await memberOf(north, { role: 'readonly', permissions: ['read'] }));
    const free = await idOf(await cloud.newUser({ [wg]: { role: 'readonly', permissions: ['read'] } }));
    const put = (id: string, body: object) => call('PUT', `orgs/${wg}/members/${id}`, boss, body);
    expect((await put(mate, { mfaRequired: true })).status).toBe(200);
    expect((await put(mate, { devGroup: null })).body.error).toBe('device_group.bound');
    expect((await put(await idOf(boss), { devGroup: null })).body.error).toBe('device_group.bound');
    expect((await put(free, { mfaRequired: true })).body.error).toBe('device_group.bound');
    const removed = await call('DELETE', `orgs/${wg}/members/${free}`, boss);
    expect(removed.body.error).toBe('device_group.bound');
    const invite = (devGroup: string | null) =>
      call('POST', `orgs/${wg}/members`, boss, { email: `${crypto.randomUUID()}@example.org`, devGroup });
    expect((await invite(null)).body.error).toBe('device_group.bound');
    expect((await invite(north._id)).body).toMatchObject({ devGroup: north._id });
    const all = (await call('POST', `orgs/${wg}/members`, owner, { email: `${wg}@example.org` })).body;
    const sent = `orgs/${wg}/invites/${all._id}`;
    expect((await call('POST', `${sent}/resend`, boss)).body.error).toBe('device_group.bound');
    expect((await call('DELETE', sent, boss)).body.error).toBe('device_group.bound');

    const several = async (path: string, id: string, more: object = {}) =>
      (await call('POST', `orgs/${wg}/${path}`, boss, { ids: [id], ...more })).body.failed;
    const outside = [
      await several('members/remove', free),
      await several('members/device-group', free, { devGroup: north._id }),
      await several('members/device-group', mate, { devGroup: null }),
      await several('invites/resend', all._id),
      await several('invites/remove', all._id),
    ];
    expect(outside.map(([one]) => one?.error)).toEqual(outside.map(() => 'device_group.bound'));
  });
});

describe('members', () => {
  test('who are put into a group must sign in again, and then see its devices alone', async () => {
    const north = await group({ type: 'IN', devices: [ids.roof] });
    const token = await cloud.newUser({ [wg]: { role: 'readonly', permissions: ['read'] } });
    const { _id } = await cloud.cloud.features.sessions.verify(token);
    const put = (body: object) => call('PUT', `orgs/${wg}/members/${_id}`, owner, body);
    expect((await put({ devGroup: crypto.randomUUID() })).body.error).toBe('device_group.not_found');
    expect((await put({ role: 'owner', devGroup: north._id })).body.error).toBe('device_group.owner');
    expect((await put({ devGroup: north._id })).body).toMatchObject({ devGroup: north._id });
    expect((await call('GET', `devices/${wg}`, token)).status).toBe(401);
    const { sessions, users } = cloud.cloud.features;
    const user = await users.user(_id);
    if (!user) throw new Error('the user is gone');
    expect(await seen(await sessions.issue(user))).toEqual(['roof']);
  });
});

describe('sockets', () => {
  test('hear of their devices alone', async () => {
    const token = await memberOf(await group({ type: 'NOT IN', devices: [ids.roof] }));
    const [bound, free] = [await socketOf(token), await socketOf(owner)];
    const heard: unknown[] = [];
    bound.socket.onAny((name, payload) => heard.push([name, payload]));
    const last = bound.event<{ id: string; name: string }>('device:changed', ({ name }) => name === 'last');
    const freeHeard = free.event('device:changed', ({ id }: { id: string }) => id === ids.roof);
    const rename = (id: string, name: string) => call('PUT', `devices/${wg}/${id}`, owner, { name });
    await rename(ids.roof, 'roof 2');
    await call('DELETE', `devices/${wg}/${ids.roof}`, owner);
    await rename(ids.yard, 'last');
    await last;
    await freeHeard;
    expect(JSON.stringify(heard)).not.toContain(ids.roof);
    expect(heard).toHaveLength(1);
  });

  test('learn at once that devices came into the group and went out of it', async () => {
    const north = await group({ type: 'IN', devices: [ids.roof] });
    const socket = await socketOf(await memberOf(north));
    const came = socket.event<{ name: string }>('device:new');
    const went = socket.event('device:removed');
    await change(north, { type: 'IN', devices: [ids.yard] });
    expect(await came).toMatchObject({ name: 'yard' });
    expect(await went).toEqual({ deviceId: ids.roof });
  });

  test('learn that the general information of a device moved it', async () => {
    const hill = await group({ type: 'META', field: 'Site', operator: '=', value: 'Hill' });
    const socket = await socketOf(await memberOf(hill));
    const put = (Site: string) =>
      call('PUT', `devices/${wg}/${ids.yard}/settings/info`, owner, { value: { Site } });
    const came = socket.event<{ name: string }>('device:new');
    await put('Hill');
    expect(await came).toMatchObject({ id: ids.yard });
    const went = socket.event('device:removed');
    await put('Valley');
    expect(await went).toEqual({ deviceId: ids.yard });
  });

  test('lose their feed when the device leaves the group', async () => {
    const north = await group({ type: 'IN', devices: [ids.roof] });
    const socket = await socketOf(await memberOf(north));
    const { feeds } = cloud.cloud.features;
    const opened = Promise.withResolvers<void>();
    const request = { deviceId: ids.roof, table: 'solar', source: 'inverter' };
    const over = socket.call('device:feed', request, () => opened.resolve());
    await opened.promise;
    await change(north, { type: 'IN', devices: [] });
    const again = await socket.call('device:feed', request);
    expect(again.error?.message).toBe('This device does not exist, or you do not have access to it.');
    expect((await over).error?.message).toBe('This device does not exist, or you do not have access to it.');
    expect(feeds.size).toBe(0);
  });

  test('get newest values of visible sources alone', async () => {
    const devices = [{ device: ids.roof, sources: ['a'] }];
    const socket = await socketOf(await memberOf(await group({ type: 'SRC', devices })));
    await socket.call('device:watch', { deviceId: ids.roof });
    const latest = socket.event<{ sources: { source: string }[] }>('device:latest');
    const stream = (source: string) => ({
      table: 'solar',
      source,
      fields: [{ name: 'power', type: 'decimal' as const }],
      rows: [[1, Date.now(), 5] as [number, number, number]],
    });
    cloud.cloud.features.watches.take(ids.roof, [stream('a'), stream('b')]);
    expect((await latest).sources.map(({ source }) => source)).toEqual(['a']);
  });
});

const COUNT_BY_SOURCE = JSON.stringify({ name: 'sources', type: 'count', fields: [], groupBy: ['source'] });
