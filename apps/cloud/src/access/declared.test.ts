import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Access, canInPerson, member } from '@albedo/contract/access/access';
import type { Permission } from '@albedo/contract/access/permissions';
import { API_PREFIX, type Api } from '@albedo/contract/http/endpoint';
import type { SocketAction } from '@albedo/contract/sockets/action';
import { inWorkgroup } from '@albedo/contract/workgroups/workgroups.schema';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { Bus } from '../bus/bus.ts';
import { guardOf } from '../front-door/guard.ts';
import { bind } from '../http/bind.ts';
import { createHttp } from '../http/server.ts';
import { Tokens } from '../sessions/tokens.ts';
import { Sockets } from '../sockets/sockets.server.ts';
import { endpoints, newDevice, pathOf } from '../testing/access-matrix.ts';
import { BrowserSocket } from '../testing/browser-socket.ts';
import { IDENTITIES_ENV, NEW_TOKEN } from '../testing/identities.ts';
import { startTestCloud, type TestCloud } from '../testing/test-cloud.ts';
import { Quotas } from './quotas.ts';

/** Everything that a declaration can ask for, on endpoints and actions of the test, with the guard of a real cloud. */
const DECLARED = {
  inPerson: canInPerson('audit'),
  unbound: { ...member, unbound: true },
  addon: { ...member, addon: 'schedules' },
  rule: { ...member, rule: { resource: 'Dashboard', action: 'view', on: 'body.board' } },
  fresh: { ...canInPerson('read'), fresh: true },
  freshOwner: { ...canInPerson('read'), fresh: { body: { role: 'owner' } } },
} as const satisfies Record<string, Access>;
type Name = keyof typeof DECLARED;
const names = Object.keys(DECLARED) as Name[];

const body = z.object({ board: z.string().optional(), role: z.string().optional() });
const api = Object.fromEntries(
  names.map((name) => [
    name,
    {
      method: 'POST',
      url: `/probe/:wg/${name}`,
      access: DECLARED[name],
      summary: 'Answers.',
      schema: { params: inWorkgroup, body, response: { 200: z.object({}) } },
    },
  ]),
) as unknown as Api;
const actions = Object.fromEntries(
  names.map((name) => [
    name,
    { access: DECLARED[name], summary: 'Answers.', request: body, reply: z.object({}) },
  ]),
) as Record<string, SocketAction>;

let cloud: TestCloud;
let app: Awaited<ReturnType<typeof createHttp>>;
let server: Server;
let sockets: Sockets;
beforeAll(async () => {
  cloud = await startTestCloud(IDENTITIES_ENV);
  const { features } = cloud.cloud;
  const guard = guardOf({ ...features, quotas: new Quotas() });
  const log = pino({ level: 'silent' });
  const of = { log, guard, redis: null, installation: 'test', trustedProxies: [] };
  app = await createHttp({ ...of, csrfSecret: Buffer.from('x'), isHttps: false });
  bind(app, api, Object.fromEntries(names.map((name) => [name, () => ({})])) as never);
  server = createServer();
  sockets = new Sockets({ ...of, bus: new Bus({ log }), actions, publicUrl: () => 'http://localhost' });
  sockets.attach(server, guard);
  for (const name of names) sockets.on(name as never, (async () => ({})) as never);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await sockets.stop();
  await app.close();
  await cloud.stop();
});

/** Names of the refusals by HTTP and by socket; null for what is answered. */
async function asked(
  token: string,
  name: Name,
  given: z.input<typeof body> = {},
): Promise<(string | null)[]> {
  const { token: csrf, cookie } = await forgery();
  const reply = await app.inject({
    method: 'POST',
    url: `${API_PREFIX}/probe/main/${name}`,
    headers: { authorization: `bearer ${token}`, cookie, 'x-xsrf-token': csrf },
    payload: given,
  });
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  // This server gives no tickets itself.
  const ticket = cloud.cloud.features.tickets.make(token);
  const socket = await new BrowserSocket(address, { token: ticket, orgName: 'main' }, {}, false).connected();
  const { error } = await socket.call(name, given);
  socket.close();
  return [
    reply.statusCode === 200 ? null : reply.json().error,
    error ? (error.error ?? error.message) : null,
  ];
}

/** An anti-forgery token of the probe's server, signed with its secret as `csrf.ts` does. */
async function forgery(): Promise<{ token: string; cookie: string }> {
  const { createHmac } = await import('node:crypto');
  const token = `nonce.${createHmac('sha256', 'x').update('nonce').digest('base64url')}`;
  return { token, cookie: `XSRF-TOKEN=${token}` };
}

const person = (of: { permissions?: Permission[]; devGroup?: string } = {}) =>
  cloud.newUser({ main: { role: 'power', permissions: ['read', 'audit'], ...of } });
const both = (refusal: string | null) => [refusal, refusal];
const query = (text: string) => cloud.cloud.features.postgres.query(text);

test('what is for people is refused to an API token that holds the permission', async () => {
  const token = await cloud.owner();
  const wanted = { ...NEW_TOKEN, permissions: ['audit'] };
  const made = await cloud.call('POST', 'orgs/main/api-tokens', { token, body: wanted });
  expect(await asked(made.body.token, 'inPerson')).toEqual(both('access.in_person'));
  expect(await asked(await person(), 'inPerson')).toEqual(both(null));
  expect(await asked(await person({ permissions: ['read'] }), 'inPerson')).toEqual(
    both('access.permission_missing'),
  );
});

test('what is about the whole workgroup is refused to members of a device group', async () => {
  const token = await cloud.owner();
  const group = { name: 'North', composition: { type: 'NOT IN', devices: [] } };
  const { _id } = (await cloud.call('POST', 'orgs/main/device-groups', { token, body: group })).body;
  expect(await asked(await person({ devGroup: _id }), 'unbound')).toEqual(both('device_group.bound'));
  expect(await asked(await person(), 'unbound')).toEqual(both(null));
});

test('what needs an addon is closed until the staff enable it, and closed again at once when they take it', async () => {
  const [one, manager] = [await person(), await cloud.tokenOf('addons@provider.example')];
  const { token: csrf, cookie } = await forgery();
  const headers = { authorization: `bearer ${one}`, cookie, 'x-xsrf-token': csrf };
  const url = `${API_PREFIX}/probe/main/addon`;
  const told = await app.inject({ method: 'POST', url, headers, payload: {} });
  expect(told.json().message).toBe('This workgroup does not have the addon Schedules.');
  expect(await asked(one, 'addon')).toEqual(both('access.addon_missing'));
  const added = await cloud.call('POST', 'orgs/main/addons', { token: manager, body: { id: 'schedules' } });
  expect(added.status).toBe(200);
  expect(await asked(one, 'addon')).toEqual(both(null));
  expect((await cloud.call('DELETE', 'orgs/main/addons/schedules', { token: manager })).status).toBe(200);
  expect(await asked(one, 'addon')).toEqual(both('access.addon_missing'));
});

test('what a rule is about follows the rules of the workgroup, by the id in the body', async () => {
  const one = await person();
  expect(await asked(one, 'rule', { board: 'roof' })).toEqual(both(null));
  await query(
    `insert into workgroup_addons (workgroup, id, name) values ('main', 'access-control', 'Access')`,
  );
  const { workgroups } = cloud.cloud.features;
  await workgroups.readAddons('main');
  workgroups.tellChanged('main');
  expect(await asked(one, 'rule', { board: 'roof' })).toEqual(both('access.denied'));
  const rule = {
    resourceType: 'Dashboard',
    resourceId: 'roof',
    actions: ['view'],
    principalType: 'Workgroup_Users',
    principalId: '-',
    effect: 'Allow',
  };
  await cloud.call('POST', 'orgs/main/access-control', { token: await cloud.owner(), body: rule });
  expect(await asked(one, 'rule', { board: 'roof' })).toEqual(both(null));
  expect(await asked(one, 'rule', { board: 'hill' })).toEqual(both('access.denied'));
  expect(await asked(one, 'rule')).toEqual(both('access.denied'));
});

test('what must be fresh waits for a confirmation, where it says so', async () => {
  const one = await person();
  const claims = await cloud.cloud.features.sessions.verify(one);
  const stale = await new Tokens(cloud.signingKey()).sign(
    { ...claims, confirmedAt: claims.iat - 301 },
    Date.now(),
  );
  expect(await asked(one, 'fresh')).toEqual(both(null));
  expect(await asked(stale, 'fresh')).toEqual(both('session.not_fresh'));
  expect(await asked(stale, 'freshOwner', { role: 'power' })).toEqual(both(null));
  expect(await asked(stale, 'freshOwner', { role: 'owner' })).toEqual(both('session.not_fresh'));
});

test('strangers learn nothing about what is missing', async () => {
  const stranger = await cloud.newUser({ other: { role: 'owner' } });
  const { token: csrf, cookie } = await forgery();
  for (const name of names) {
    const headers = { authorization: `bearer ${stranger}`, cookie, 'x-xsrf-token': csrf };
    const url = `${API_PREFIX}/probe/main/${name}`;
    const reply = await app.inject({ method: 'POST', url, headers, payload: { role: 'owner' } });
    expect([name, reply.statusCode, reply.json().error]).toEqual([name, 403, 'request.forbidden']);
  }
});

/** Names that every object has without anybody having given them. */
const INHERITED = ['__proto__', 'constructor', 'toString'];
/**
 * A host, a setting of a device and a table that is still to come may have any name, and metadata are answered for any workgroup, so that they tell of
 * none. All other names are of something that is there.
 */
const FREE = [
  '/opsteam/brands/:host',
  '/dataTables/:wg/:table',
  '/devices/:wg/:device/settings/:key',
  '/auth/saml/metadata/:orgName',
  '/prometheus/:wg/api/v1/label/:label',
];

describe('names that every object inherits', () => {
  const isAlive = async () => expect((await cloud.call('GET', 'version')).status).toBe(200);
  const callers = async () => ({
    staff: await cloud.tokenOf('addons@provider.example'),
    owner: await cloud.owner(),
  });

  test('mean nothing in a path', async () => {
    const { staff, owner } = await callers();
    const device = await newDevice(cloud);
    for (const endpoint of endpoints) {
      const isForStaff = ['staff', 'addonManager'].includes(endpoint.access.who.kind);
      const token = isForStaff ? staff : owner;
      const params = [...endpoint.url.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
      for (const param of params)
        for (const name of INHERITED) {
          const path = pathOf(endpoint, { device, [param]: name });
          const sent = endpoint.consumes ? undefined : endpoint.example?.body;
          const { status } = await cloud.call(endpoint.method, path, { token, body: sent });
          const isFree = FREE.some((one) => endpoint.url.startsWith(one) && one.endsWith(`:${param}`));
          const isFine = status < 500 && (status >= 400 || isFree);
          expect([endpoint.method, path, status, isFine]).toEqual([endpoint.method, path, status, true]);
        }
    }
    await isAlive();
  });

  test('break nothing in a query or a body', async () => {
    const { staff, owner } = await callers();
    const device = await newDevice(cloud);
    const strange = JSON.parse(
      '{"__proto__":{"a":1},"constructor":{"prototype":{}},"toString":"x"}',
    ) as object;
    for (const endpoint of endpoints.filter(({ url }) => !url.startsWith('/auth/logout'))) {
      const isForStaff = ['staff', 'addonManager'].includes(endpoint.access.who.kind);
      const token = isForStaff ? staff : owner;
      const path = pathOf(endpoint, { device });
      const to = `${path}${path.includes('?') ? '&' : '?'}__proto__=1&constructor=2&toString=3`;
      const sent = endpoint.method === 'GET' ? undefined : strange;
      const { status } = await cloud.call(endpoint.method, to, { token, body: sent });
      expect([endpoint.method, to, status === 503 || status < 500]).toEqual([endpoint.method, to, true]);
    }
    expect(({} as { a?: number }).a).toBeUndefined();
    await isAlive();
  });

  test('are no actions, devices, sources or feeds of a socket, and no workgroups', async () => {
    const { owner: token } = await callers();
    const socket = await new BrowserSocket(cloud, { token, orgName: 'main' }).connected();
    for (const name of INHERITED) {
      expect((await socket.call(name, {})).error?.error, name).toBe('request.not_found');
      for (const action of ['device:watch', 'device:feed', 'device:cmd', 'device:refreshMeta']) {
        const given = { deviceId: name, table: name, source: name, cmd: 'id' };
        expect((await socket.call(action, given)).error?.error, action).toBe('request.invalid');
      }
      expect((await socket.call('device:feed:stop', { feedId: name })).error, name).toBeUndefined();
      const stranger = new BrowserSocket(cloud, { token, orgName: name });
      await expect(stranger.connected()).rejects.toThrow('unauthorised');
      stranger.close();
    }
    socket.close();
    await isAlive();
  });
});
