import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tokenPermission } from '@albedo/contract/api-tokens/api-tokens.schema';
import type { Endpoint } from '@albedo/contract/http/endpoint';
import { Tokens } from '../sessions/tokens.ts';
import { OWNER, type TestCloud } from './test-cloud.ts';

/** Every endpoint of the contract, whichever feature declares it. */
export async function everyEndpoint(): Promise<Endpoint[]> {
  const contract = dirname(fileURLToPath(import.meta.resolve('@albedo/contract/product')));
  const endpoints: Endpoint[] = [];
  for (const file of readdirSync(contract, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.api.ts')) continue;
    const apis = (await import(join(contract, file))) as Record<string, Record<string, Endpoint>>;
    for (const [name, api] of Object.entries(apis))
      if (name.endsWith('Api')) endpoints.push(...Object.values(api));
  }
  return endpoints;
}

const STAFF_DOMAIN = 'provider.example';
const ADDON_MANAGER = `addons@${STAFF_DOMAIN}`;
const FALSE_MANAGER = 'addons@customer.example';

/** Variables with which the identities of the staff are what they are called. */
export const IDENTITIES_ENV = {
  ALBEDO_STAFF_DOMAINS: STAFF_DOMAIN,
  ALBEDO_ADDON_MANAGERS: `${ADDON_MANAGER},${FALSE_MANAGER}`,
};

/** All that a token which can be renewed may hold: one that configures ends at its date. */
export const TOKEN_PERMISSIONS = tokenPermission.options.filter((one) => one !== 'coordinate');

export const NEW_TOKEN = { owner: 'A partner', email: 'partner@example.org', expiry: '7 days' };

/**
 * Everybody who may come to the workgroup `main`, by what he is called, each with a function that makes a token of his.
 * The member of a device group is bound to all devices but one.
 */
export function identitiesOf(cloud: () => TestCloud): Record<string, () => Promise<string | undefined>> {
  const reader = { role: 'readonly', permissions: ['read'] } as const;
  return {
    nobody: async () => undefined,
    'a tampered token': async () => {
      const [head, claims = '', signature] = (await cloud().owner()).split('.');
      const forged = JSON.parse(Buffer.from(claims, 'base64url').toString()) as object;
      const changed = Buffer.from(JSON.stringify({ ...forged, staff: true })).toString('base64url');
      return [head, changed, signature].join('.');
    },
    'an expired token': async () => {
      const claims = await cloud().cloud.features.sessions.verify(await cloud().owner());
      const iat = claims.iat - 36_001;
      return new Tokens(cloud().signingKey()).sign({ ...claims, iat, exp: iat + 36_000 }, iat * 1000);
    },
    'a revoked token': async () => {
      const token = await cloud().owner();
      const { sessions } = cloud().cloud.features;
      await sessions.revoke(await sessions.verify(token));
      return token;
    },
    'a login token': () => pending(cloud(), 'code'),
    'an enrolment token': () => pending(cloud(), 'setup'),
    'a display link': () => displayLink(cloud()),
    'provider staff': () => cloud().tokenOf(`${randomUUID()}@${STAFF_DOMAIN}`),
    'an addon manager': () => cloud().tokenOf(ADDON_MANAGER),
    'somebody outside the staff who is named as an addon manager': () => cloud().tokenOf(FALSE_MANAGER),
    'an API token': async () => {
      const body = { ...NEW_TOKEN, permissions: TOKEN_PERMISSIONS, canRenew: true };
      const token = await cloud().owner();
      return (await cloud().call('POST', 'orgs/main/api-tokens', { token, body })).body.token;
    },
    'an owner whom the identity provider of another workgroup signed in': async () => {
      const { sessions, users } = cloud().cloud.features;
      const owner = await users.userByEmail(OWNER.email);
      if (!owner) throw new Error('there is no owner');
      return sessions.issue(owner, { idpId: randomUUID() });
    },
    'an owner of another workgroup': () => cloud().newUser({ other: { role: 'owner' } }),
    'a member who may only read': () => cloud().newUser({ main: { ...reader, permissions: ['read'] } }),
    'a member who sees dashboards alone': () =>
      cloud().newUser({ main: { role: 'readonly', permissions: ['read', 'dashboardOnly'] } }),
    'a member bound to a device group': async () => {
      const token = await cloud().owner();
      const composition = { type: 'NOT IN', devices: [] };
      const body = { name: randomUUID(), composition };
      const { _id } = (await cloud().call('POST', 'orgs/main/device-groups', { token, body })).body;
      return cloud().newUser({ main: { role: 'readonly', permissions: ['read'], devGroup: _id } });
    },
    'a member with the role power': () => cloud().newUser({ main: { role: 'power', permissions: ['read'] } }),
    'the owner': () => cloud().owner(),
  };
}

async function pending({ cloud }: TestCloud, mfa: 'code' | 'setup'): Promise<string> {
  const { sessions, users } = cloud.features;
  const owner = await users.userByEmail(OWNER.email);
  if (!owner) throw new Error('there is no owner');
  return sessions.issuePending(owner, mfa);
}

/** A link to a dashboard of its own. */
async function displayLink(cloud: TestCloud): Promise<string> {
  const token = await cloud.owner();
  const make = async (path: string, body: object) => (await cloud.call('POST', path, { token, body })).body;
  const { _id: typeId } = await make('entities/main', { name: 'Entrance' });
  const { _id } = await make('entityDashboards/main', { type: 'entity', typeId, name: 'Entrance' });
  return (await make('displays/main', { name: 'Entrance', pages: [{ board: _id }] })).token;
}
