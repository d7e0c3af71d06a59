import { randomUUID } from 'node:crypto';
import type { Access, Who } from '@albedo/contract/access/access';
import { tokenPermission } from '@albedo/contract/api-tokens/api-tokens.schema';
import type { Endpoint } from '@albedo/contract/http/endpoint';
import { workgroupsApi } from '@albedo/contract/workgroups/workgroups.api';
import fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PROVIDER_LOG } from '../audit/audit.service.ts';
import { everyEndpoint, IDENTITIES_ENV, identitiesOf, NEW_TOKEN } from '../testing/identities.ts';
import { auditOf, buildAgent, OWNER, startTestCloud, type TestCloud } from '../testing/test-cloud.ts';
import { bind } from './bind.ts';

const endpoints = await everyEndpoint();

const ANNOUNCEMENT = {
  title: 'News',
  bodyMarkdown: 'Something is new.',
  startDate: '2026-01-01T00:00:00Z',
  endDate: '2026-01-02T00:00:00Z',
};

const SEVERAL = () => ({ ids: [randomUUID()] });

/** A body that each endpoint accepts, so that a refusal can only be one of access. */
const bodies: Record<string, () => unknown> = {
  'POST /auth/local': () => OWNER,
  'POST /forgot': () => ({ email: 'nobody@example.org' }),
  'PUT /forgot/:token': () => ({ password: 'a good long password' }),
  'PUT /me/password': () => ({ oldPassword: 'a wrong one', newPassword: 'a good long password' }),
  'PUT /me/profile': () => ({ phone: '1' }),
  'PUT /settings/:key': () => ({ value: null }),
  'POST /me/email': () => ({ email: `${randomUUID()}@example.org` }),
  'PUT /me/email': () => ({ code: '0000' }),
  'POST /auth/local/totp': () => ({ key: '000000' }),
  'POST /auth/local/totp-recover': () => ({ key: 'X'.repeat(32) }),
  'PUT /me/totp-setup': () => ({ key: '000000' }),
  'PUT /me/totp-recover': () => ({ key: '000000' }),
  'POST /orgs': () => ({ orgDisplay: 'New', ownerEmail: `${randomUUID()}@example.org` }),
  'PUT /opsteam/workgroups/:wg': () => ({ suspended: false }),
  'DELETE /opsteam/workgroups/:wg': () => ({ phrase: 'a wrong one' }),
  'PUT /opsteam/users/:user': () => ({ mfaRequired: false }),
  'PUT /opsteam/brands/:host': () => ({ theme: {} }),
  'POST /orgs/:wg/addons': () => ({ id: 'schedules' }),
  'PUT /orgs/:wg/addons/:addon': () => ({ settings: {} }),
  'PUT /orgs/:wg': () => ({ displayName: 'Main' }),
  'PUT /orgs/:wg/settings/:key': () => ({ value: '/devices' }),
  'PUT /orgs/:wg/mfa': () => ({ required: false }),
  'POST /me/passkeys/begin': () => ({ password: 'a wrong one' }),
  'POST /me/passkeys': () => ({ name: 'Key', response: NO_ANSWER }),
  'PUT /me/passkeys/:passkey': () => ({ name: 'Key' }),
  'PUT /me/passkeys/recovery-code': () => ({ response: NO_ANSWER }),
  'POST /auth/local/passkey': () => ({ response: NO_ANSWER }),
  'POST /orgs/:wg/members': () => ({ email: `${randomUUID()}@example.org` }),
  'PUT /orgs/:wg/members/:member': () => ({ role: 'readonly' }),
  'POST /orgs/:wg/api-tokens': () => NEW_TOKEN,
  'POST /orgs/:wg/api-tokens/revoke': SEVERAL,
  'POST /orgs/:wg/members/device-group': () => ({ ...SEVERAL(), devGroup: null }),
  'POST /orgs/:wg/members/remove': SEVERAL,
  'POST /orgs/:wg/invites/resend': SEVERAL,
  'POST /orgs/:wg/invites/remove': SEVERAL,
  'PUT /orgs/:wg/api-tokens/:apiToken': () => ({ canRenew: false }),
  'POST /orgs/:wg/access-control': () => NEW_RULE,
  'PUT /orgs/:wg/access-control/:rule': () => NEW_RULE,
  'POST /roles/:wg': () => ({ name: randomUUID() }),
  'PUT /roles/:wg/:role': () => ({ name: randomUUID() }),
  'POST /lookupTables/:wg': () => ({ code: randomUUID(), name: 'Codes' }),
  'POST /lookupTables/:wg/:lookupTable': () => ({ code: randomUUID(), name: 'Codes' }),
  'PUT /orgs/:wg/idp': () => ({ provider: null }),
  'POST /auth/saml/login': () => ({ email: 'nobody@example.org' }),
  'POST /auth/saml/login/sso': () => ({ id: crypto.randomUUID() }),
  'POST /announcements': () => ANNOUNCEMENT,
  'PUT /announcements/:announcement': () => ANNOUNCEMENT,
  'PUT /opsteam/tickets/:ticket': () => ({ status: 'closed' }),
  'POST /newuser': () => ({ orgName: 'main', token: 'x' }),
  'POST /activate/:token': () => ({}),
  'PUT /newuser': () => ({}),
  'POST /opsteam/requests/:request/accept': () => ({ name: randomUUID(), displayName: 'New' }),
  'POST /diagnostics/:wg/frontendAnalytics': () => ({ location: '/devices' }),
  'POST /diagnostics/:wg/frontendError': () => ({
    location: '/devices',
    message: 'x',
    stack: '',
    context: { source: 'window', version: '1' },
  }),
  'POST /orgs/:wg/device-groups': () => ({ name: randomUUID(), composition: ALL_DEVICES }),
  'PUT /orgs/:wg/device-groups/:devGroup': () => ({ name: randomUUID(), composition: ALL_DEVICES }),
  'POST /orgs/:wg/device-groups/preview': () => ALL_DEVICES,
  'POST /devices/:wg': () => ({ name: randomUUID() }),
  'PUT /devices/:wg/:device': () => ({ name: randomUUID() }),
  'PUT /devices/:wg/:device/settings/:key': () => ({ value: { a: 'b' } }),
  'POST /series/:wg': () => ({
    from: 0,
    to: 1000,
    series: [{ device: randomUUID(), table: 'data', source: 'cpu', field: 'cpu_usage' }],
  }),
};

const ALL_DEVICES = { type: 'NOT IN', devices: [] };
const NO_ANSWER = {
  id: 'AA',
  rawId: 'AA',
  type: 'public-key',
  response: { clientDataJSON: 'AA', attestationObject: 'AA', authenticatorData: 'AA', signature: 'AA' },
};
const NEW_RULE = {
  resourceType: 'DeviceCommand',
  resourceId: 'all',
  actions: ['run'],
  principalType: 'Workgroup_Users',
  principalId: '-',
  effect: 'Allow',
};
let test_: TestCloud;
const callers = identitiesOf(() => test_);
const strangers = ['nobody', 'a tampered token', 'an expired token', 'a revoked token'];
const staffCallers = ['provider staff', 'an addon manager'];
const outsiders = [
  'an owner of another workgroup',
  'somebody outside the staff who is named as an addon manager',
];
const BY_SSO = 'an owner whom the identity provider of another workgroup signed in';
const kinds: Record<string, Who['kind']> = {
  'a login token': 'oneTimeCode',
  'an enrolment token': 'enrolling',
};

/** What the contract says a caller gets: 401, 403, or neither. */
function verdict(endpoint: Endpoint, caller: string): number | 'allowed' {
  const { access } = endpoint;
  if (access.who.kind === 'public') return 'allowed';
  if (kinds[caller]) return access.who.kind === kinds[caller] ? 'allowed' : 401;
  if (access.who.kind === 'enrolment' || access.who.kind === 'oneTimeCode' || strangers.includes(caller))
    return 401;
  if (caller === 'an API token') return verdictOfApiToken(access);
  if (caller === BY_SSO) return verdictBySso(endpoint);
  if (access.who.kind === 'signedIn' || access.who.kind === 'enrolling') return 'allowed';
  if (access.who.kind === 'apiToken') return 403;
  if (access.who.kind === 'addonManager') return caller === 'an addon manager' ? 'allowed' : 403;
  if (access.who.kind === 'staff') return staffCallers.includes(caller) ? 'allowed' : 403;
  if (caller === 'the owner') return 'allowed';
  if (outsiders.includes(caller) || staffCallers.includes(caller)) return 403;
  if (access.who.kind === 'commands') return caller === 'a member with the role power' ? 'allowed' : 403;
  return access.who.kind === 'member' ? 'allowed' : 403;
}

/** Nothing of workgroups, and of the account what endpoints open to it by name. */
function verdictBySso({ access, method, url, evenBySso }: Endpoint): number | 'allowed' {
  if (access.who.kind !== 'signedIn' && access.who.kind !== 'enrolling') return 403;
  return method === 'GET' || !url.startsWith('/me/') || evenBySso === true ? 'allowed' : 403;
}

function verdictOfApiToken(access: Access): number | 'allowed' {
  if (access.who.kind === 'enrolling') return 401;
  if (access.who.kind === 'member' || access.who.kind === 'apiToken') return 'allowed';
  const isHeld = (one: string) => (tokenPermission.options as string[]).includes(one);
  return access.who.kind === 'can' && access.who.permissions.some(isHeld) ? 'allowed' : 403;
}

beforeAll(async () => {
  test_ = await startTestCloud(IDENTITIES_ENV);
  buildAgent(test_);
});
afterAll(() => test_.stop());

describe.each(Object.keys(callers))(
  `${endpoints.length} endpoints x ${Object.keys(callers).length} identities: %s`,
  (caller) => {
    test.each(endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.url}`, endpoint] as const))(
      'gets from %s what the contract says',
      async (name, endpoint) => {
        const { devices } = test_.cloud.features;
        const { id } = await devices.create('main', { name: randomUUID(), arch: 'arm64', ced: false }, null);
        const path = endpoint.url
          .slice(1)
          .replace(':wg', 'main')
          .replace(':device', id)
          .replace(':key', 'info')
          .replace(':table', 'data')
          .replace(':token', 'x')
          .replace(':orgName', 'main')
          .replace(':addon', 'schedules')
          .replace(':user', randomUUID())
          .replace(':host', 'energy.example.org')
          .replace(':kind', 'logo')
          .replace(
            /:(announcement|ticket|file|member|invite|request|apiToken|passkey|rule|role|devGroup)/,
            randomUUID(),
          );
        const reply = await test_.call(endpoint.method, path, {
          token: await callers[caller]?.(),
          body: bodies[name]?.(),
          // Each from an address of its own, so that no limit of attempts answers in place of the guard.
          headers: { 'x-forwarded-for': `198.51.100.${Object.keys(callers).indexOf(caller) + 1}` },
        });
        const wanted = verdict(endpoint, caller);
        if (wanted === 'allowed') expect([401, 403, 500]).not.toContain(reply.status);
        else expect(reply.status).toBe(wanted);
      },
    );
  },
);

test.each(
  endpoints
    .filter(({ url }) => url.includes(':device'))
    .map((one) => [`${one.method} ${one.url}`, one] as const),
)('to %s a device of another workgroup does not exist', async (name, endpoint) => {
  const { devices } = test_.cloud.features;
  const { id } = await devices.create('main', { name: randomUUID(), arch: 'arm64', ced: false }, null);
  const path = endpoint.url.slice(1).replace(':wg', 'other').replace(':device', id).replace(':key', 'info');
  const token = await test_.newUser({ other: { role: 'owner' } });
  const reply = await test_.call(endpoint.method, path, { token, body: bodies[name]?.() });
  expect(reply).toMatchObject({ status: 404, body: { error: 'device.not_found' } });
});

test('whatever somebody of them did is in the log with where it came from', async () => {
  const log = [...(await auditOf(test_, 'main')), ...(await auditOf(test_, PROVIDER_LOG))];
  const done = log.filter(({ user_id }) => Boolean(user_id));
  expect(new Set(done.map(({ controller }) => controller)).size).toBeGreaterThan(10);
  const unplaced = done.filter(({ address }) => !address);
  expect(unplaced.map(({ controller, action }) => `${controller} ${action}`)).toEqual([]);
});

test('a route without declared access cannot be registered', () => {
  const api = { list: { ...workgroupsApi.list, access: undefined } };
  expect(() => bind(fastify(), api as never, { list: () => [] } as never)).toThrow(
    'GET /orgs declares no access',
  );
});

test('an endpoint without a handler cannot be registered', () => {
  expect(() => bind(fastify(), workgroupsApi, {} as never)).toThrow('GET /orgs has no handler');
});
