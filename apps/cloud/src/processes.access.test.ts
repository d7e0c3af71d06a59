import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FAILED_SIGN_INS } from './sessions/sessions.service.ts';
import { BrowserSocket } from './testing/browser-socket.ts';
import type { TestCloud } from './testing/test-cloud.ts';
import { startTwoClouds, type TwoClouds, until } from './testing/two-clouds.ts';

const { ALBEDO_TEST_DATABASE_URL: databaseUrl = '', ALBEDO_TEST_REDIS_URL: redisUrl = '' } = process.env;
const STAFF_DOMAIN = 'provider.example';
const RULE = {
  resourceType: 'DeviceCommand',
  resourceId: 'all',
  actions: ['run'],
  principalType: 'Workgroup_Users',
  principalId: '-',
  effect: 'Allow',
};

/** What guards keep in memory: what one process changes, the other one knows at once. */
describe.runIf(databaseUrl && redisUrl)('who may do what, on two processes', () => {
  let both: TwoClouds;
  let here: TestCloud;
  let there: TestCloud;
  let owner = '';
  let staff = '';

  beforeAll(async () => {
    const env = { ALBEDO_ROLES: 'api', ALBEDO_STAFF_DOMAINS: STAFF_DOMAIN };
    both = await startTwoClouds({ databaseUrl, redisUrl }, [
      { ...env, ALBEDO_ROLES: 'api,ingest,jobs' },
      env,
    ]);
    [here, there] = both.clouds;
    owner = await here.owner();
    const { sessions, users } = here.cloud.features;
    const ann = { email: `ann@${STAFF_DOMAIN}`, name: 'Ann', passwordHash: null, defaultWorkgroup: null };
    staff = await sessions.issue((await users.addUser(ann)) as never);
  });
  afterAll(() => both?.stop());

  const change = async (method: string, path: string, body?: object, token = owner) => {
    const reply = await here.call(method, path, { token, body });
    expect(reply).toMatchObject({ status: 200 });
    return reply.body;
  };
  const seen = async (path: string, token: string) => (await there.call('GET', path, { token })).body;
  const idOf = async (token: string) => (await here.cloud.features.sessions.verify(token))._id;

  test('another composition of a device group', async () => {
    const device = await change('POST', 'devices/main', { name: 'Roof' });
    const empty = { name: 'Group', composition: { type: 'IN', devices: [] } };
    const group = await change('POST', 'orgs/main/device-groups', empty);
    const bound = await here.newUser({ main: { role: 'readonly', devGroup: group._id } });
    expect(await seen('devices/main', bound)).toEqual([]);
    const full = { name: 'Group', composition: { type: 'IN', devices: [device.id] } };
    await change('PUT', `orgs/main/device-groups/${group._id}`, full);
    await until(async () => (await seen('devices/main', bound)).length === 1);
    await change('PUT', `orgs/main/device-groups/${group._id}`, empty);
    await until(
      async () => (await there.call('GET', `devices/main/${device.id}`, { token: bound })).status === 404,
    );
  });

  test('who reads a list there hears of its change, and who may not does not', async () => {
    const [mayRead, mayNot] = [
      await here.newUser({ main: { role: 'readonly', permissions: ['wgMembers'] } }),
      await here.newUser({ main: { role: 'readonly' } }),
    ];
    const sockets = [mayRead, mayNot].map((token) => new BrowserSocket(there, { token, orgName: 'main' }));
    const heard: string[][] = [[], []];
    sockets.forEach(({ socket }, i) => {
      socket.on('list:changed', ({ list }: { list: string }) => heard[i]?.push(list));
    });
    await Promise.all(sockets.map((socket) => socket.connected()));
    const over = sockets.map((socket) => socket.event('workgroup:changed'));
    await change(
      'DELETE',
      `orgs/main/members/${await idOf(await here.newUser({ main: { role: 'power' } }))}`,
    );
    await change('PUT', 'orgs/main', { displayName: 'Told' });
    await Promise.all(over);
    expect(heard).toEqual([['members'], []]);
    for (const socket of sockets) socket.close();
  });

  test('the addon, a rule, and a role', async () => {
    const member = await here.newUser({ main: { role: 'power', permissions: ['read'] } });
    const session = await there.cloud.features.sessions.verify(member);
    const mayRun = () =>
      there.cloud.features.accessControl.allows(session, 'main', 'DeviceCommand', 'all', 'run');
    expect(await mayRun()).toBe(true);
    const { postgres, workgroups } = here.cloud.features;
    await postgres.query(
      `insert into workgroup_addons (workgroup, id, name) values ('main', 'access-control', 'Access')`,
    );
    workgroups.tellChanged('main');
    await until(async () => !(await mayRun()));
    await change('POST', 'orgs/main/access-control', RULE);
    await until(mayRun);
    const role = await change('POST', 'roles/main', { name: 'Guests', members: [session._id] });
    const deny = { ...RULE, principalType: 'Role', principalId: role._id, effect: 'Deny' };
    await change('POST', 'orgs/main/access-control', deny);
    await until(async () => !(await mayRun()));
    await change('PUT', `roles/main/${role._id}`, { name: 'Guests', members: [] });
    await until(mayRun);
  });

  test('another role of a member ends their sessions and their sockets, and the tokens they made', async () => {
    const member = await here.newUser({ main: { role: 'admin', permissions: ['read', 'manageAccess'] } });
    const wanted = {
      owner: 'P',
      email: 'p@example.org',
      expiry: '7 days',
      canRenew: false,
      permissions: ['read'],
    };
    const made = await change('POST', 'orgs/main/api-tokens', { ...wanted, devGroup: null }, member);
    expect((await there.call('GET', 'devices/main', { token: made.token })).status).toBe(200);
    const socket = await new BrowserSocket(there, { token: member, orgName: 'main' }).connected();
    const ended = new Promise((resolve) => socket.socket.once('disconnect', resolve));
    const demoted = { role: 'readonly', permissions: ['read'] };
    await change('PUT', `orgs/main/members/${await idOf(member)}`, demoted);
    expect(await ended).toBe('io server disconnect');
    for (const token of [member, made.token])
      await until(async () => (await there.call('GET', 'devices/main', { token })).status === 401);
  });

  test('the suspension of a workgroup closes it and its sockets, until it is opened', async () => {
    const member = await here.newUser({ closing: { role: 'owner' } });
    const status = async () => (await there.call('GET', 'devices/closing', { token: member })).status;
    expect(await status()).toBe(200);
    const socket = await new BrowserSocket(there, { token: member, orgName: 'closing' }).connected();
    const ended = new Promise((resolve) => socket.socket.once('disconnect', resolve));
    await change('PUT', 'opsteam/workgroups/closing', { suspended: true }, staff);
    await until(async () => (await status()) === 403);
    expect(await ended).toBe('io server disconnect');
    await change('PUT', 'opsteam/workgroups/closing', { suspended: false }, staff);
    await until(async () => (await status()) === 200);
  });

  test('the looks of a host, and a setting, which everybody hears of', async () => {
    const theme = { serviceName: 'Sunny' };
    await change('PUT', 'opsteam/brands/sunny.example.org', { theme }, staff);
    await until(
      () => there.cloud.features.branding.ofHost('sunny.example.org').theme.serviceName === 'Sunny',
    );
    const socket = await new BrowserSocket(there, { token: owner, orgName: 'main' }).connected();
    const told = socket.event('workgroup:changed');
    await change('PUT', 'orgs/main/settings/defaultPage', { value: '/search' });
    expect(await told).toEqual({ workgroup: 'main' });
    expect(await seen('orgs/main/settings', owner)).toMatchObject({ defaultPage: '/search' });
    socket.close();
  });

  test('wrong passwords are counted together', async () => {
    const { email } = await here.cloud.features.sessions.verify(
      await here.newUser({ main: { role: 'power' } }),
    );
    const statuses: number[] = [];
    for (let attempt = 0; attempt <= FAILED_SIGN_INS.account; attempt++) {
      const headers = { 'x-forwarded-for': '198.51.100.1' };
      const body = { email, password: 'a wrong one' };
      const cloud = both.clouds[attempt % 2] as TestCloud;
      statuses.push((await cloud.call('POST', 'auth/local', { body, headers })).status);
    }
    expect(statuses.slice(0, -1).every((status) => status === 401)).toBe(true);
    expect(statuses.at(-1)).toBe(429);
  });
});
