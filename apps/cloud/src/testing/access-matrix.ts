import type { Access } from '@albedo/contract/access/access';
import type { Permission } from '@albedo/contract/access/permissions';
import { DISPLAY_TOKEN } from '@albedo/contract/displays/displays.schema';
import type { ErrorName } from '@albedo/contract/failures/errors';
import type { Endpoint } from '@albedo/contract/http/endpoint';
import { exampleParams } from '@albedo/contract/http/examples';
import { describe, expect, test } from 'vitest';
import { Tokens } from '../sessions/tokens.ts';
import { everyEndpoint, identitiesOf, TOKEN_PERMISSIONS } from './identities.ts';
import { OWNER, type Reply, type TestCloud } from './test-cloud.ts';

export const endpoints = await everyEndpoint();

/** What a caller is, as far as access goes. A member of `main` has `permissions`. */
interface Caller {
  /** A token that is good for nothing, or for one step of a sign-in alone. */
  isNobody?: true;
  opens?: 'oneTimeCode' | 'enrolling' | 'display';
  permissions?: readonly Permission[] | 'all';
  runsCommands?: true;
  isApiToken?: true;
  isStaff?: true;
  isAddonManager?: true;
  isBound?: true;
  isBySso?: true;
  isStale?: true;
}

const STALE_OWNER = 'the owner, who confirmed an hour ago';

/** Everybody of `identitiesOf`, and what the contract's words mean for them. */
export const CALLERS: Readonly<Record<string, Caller>> = {
  nobody: { isNobody: true },
  'a tampered token': { isNobody: true },
  'an expired token': { isNobody: true },
  'a revoked token': { isNobody: true },
  'a login token': { opens: 'oneTimeCode' },
  'an enrolment token': { opens: 'enrolling' },
  'a display link': { opens: 'display' },
  'provider staff': { isStaff: true },
  'an addon manager': { isStaff: true, isAddonManager: true },
  'somebody outside the staff who is named as an addon manager': {},
  'an API token': { isApiToken: true, permissions: TOKEN_PERMISSIONS, runsCommands: true },
  'an owner whom the identity provider of another workgroup signed in': { isBySso: true },
  'an owner of another workgroup': {},
  'a member who may only read': { permissions: ['read'] },
  'a member who sees dashboards alone': { permissions: ['read', 'dashboardOnly'] },
  'a member bound to a device group': { permissions: ['read'], isBound: true },
  'a member with the role power': { permissions: ['read'], runsCommands: true },
  'the owner': { permissions: 'all', runsCommands: true },
  [STALE_OWNER]: { permissions: 'all', runsCommands: true, isStale: true },
};

/** What the contract says that a caller gets: a refusal, or none. */
function verdict(endpoint: Endpoint, caller: Caller): [status: 401 | 403, error?: ErrorName] | 'allowed' {
  const { who, unbound, addon } = endpoint.access;
  if (who.kind === 'public') return 'allowed';
  if (caller.isNobody) return [401];
  if (caller.opens) return who.kind === caller.opens ? 'allowed' : [401];
  if (who.kind === 'enrolment' || who.kind === 'oneTimeCode' || who.kind === 'display') return [401];
  const { method, url, evenBySso } = endpoint;
  const isOfAccount = method !== 'GET' && url.startsWith('/me/') && evenBySso !== true;
  if (caller.isBySso && isOfAccount) return [403, 'session.from_provider'];
  if (who.kind === 'enrolling' && caller.isApiToken) return [401];
  if (!isOfThem(endpoint.access, caller)) return [403, 'request.forbidden'];
  const missing = missingOf(endpoint.access, caller);
  if (missing) return [403, missing];
  if (unbound && caller.isBound) return [403, 'device_group.bound'];
  // The workgroup of these tests has none.
  if (addon) return [403, 'access.addon_missing'];
  return caller.isStale && asksToConfirm(endpoint) ? [403, 'session.not_fresh'] : 'allowed';
}

/** Whether the example of an endpoint asks for something for which a session confirms itself. */
function asksToConfirm({ access: { fresh }, example }: Endpoint): boolean {
  if (typeof fresh !== 'object') return fresh === true;
  const body = (example?.body ?? {}) as Record<string, unknown>;
  return Object.entries(fresh.body).every(([name, value]) => body[name] === value);
}

function isOfThem({ who: { kind } }: Access, caller: Caller): boolean {
  if (kind === 'staff') return caller.isStaff === true;
  if (kind === 'addonManager') return caller.isAddonManager === true;
  if (kind === 'apiToken') return caller.isApiToken === true;
  if (kind === 'signedIn' || kind === 'enrolling') return caller.isApiToken !== true;
  return caller.permissions !== undefined;
}

function missingOf({ who }: Access, caller: Caller): ErrorName | null {
  const { permissions = [], runsCommands, isApiToken } = caller;
  if ('inPerson' in who && isApiToken) return 'access.in_person';
  if (who.kind === 'commands' && !runsCommands) return 'access.no_commands';
  if (who.kind !== 'can' || permissions === 'all') return null;
  return who.permissions.some((one) => permissions.includes(one)) ? null : 'access.permission_missing';
}

/** A session of the owner that was confirmed an hour ago. */
async function staleOwner(cloud: TestCloud): Promise<string> {
  const claims = await cloud.cloud.features.sessions.verify(await cloud.owner());
  const confirmedAt = claims.iat - 3600;
  return new Tokens(cloud.signingKey()).sign({ ...claims, confirmedAt }, Date.now());
}

/** Bodies of the contract's examples are good, so that a refusal is one of access; a sign-in is one of somebody. */
const BODIES: Readonly<Record<string, unknown>> = { 'POST /auth/local': OWNER };

/**
 * Tries every endpoint as these callers. A token is made once for each caller, and anew when a call ended it; a device
 * is made when an endpoint needs one.
 */
export function tryEveryEndpoint(cloud: () => TestCloud, names: readonly string[]): void {
  const asks = askerOf(cloud);
  describe.each(names)(
    `${endpoints.length} endpoints x ${Object.keys(CALLERS).length} identities: %s`,
    (name) => {
      const caller = CALLERS[name] as Caller;
      test.each(endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.url}`, endpoint] as const))(
        'gets from %s what the contract says',
        async (_name, endpoint) => {
          const reply = await asks(name, endpoint);
          const wanted = verdict(endpoint, caller);
          // A link that may call asks for what its dashboard does not show.
          if (wanted === 'allowed' && reply.body?.error === 'display.not_asked') return;
          if (wanted === 'allowed') expect([401, 403, 500]).not.toContain(reply.status);
          else {
            expect(reply.status).toBe(wanted[0]);
            if (wanted[1]) expect(reply.body.error).toBe(wanted[1]);
          }
        },
      );
    },
  );
}

function askerOf(cloud: () => TestCloud): (name: string, endpoint: Endpoint) => Promise<Reply> {
  const identities: Record<string, () => Promise<string | undefined>> = {
    ...identitiesOf(cloud),
    [STALE_OWNER]: () => staleOwner(cloud()),
  };
  const tokens = new Map<string, string | undefined>();
  let device: string | null = null;
  const tokenOf = async (name: string): Promise<string | undefined> => {
    if (!tokens.has(name)) tokens.set(name, await identities[name]?.());
    return tokens.get(name);
  };
  return async (name, endpoint) => {
    const { method, consumes, example } = endpoint;
    const params = exampleParams(endpoint);
    if ('device' in params) device ??= await newDevice(cloud());
    const key = `${method} ${endpoint.url}`;
    const token = await tokenOf(name);
    const reply = await cloud().call(method, pathOf(endpoint, device === null ? {} : { device }), {
      token,
      body: consumes ? undefined : (BODIES[key] ?? example?.body),
      // Each from an address of its own, so that no limit of attempts answers in place of the guard.
      headers: { 'x-forwarded-for': `198.51.100.${Object.keys(CALLERS).indexOf(name) + 1}` },
    });
    if (key === 'DELETE /devices/:wg/:device' && reply.status === 200) device = null;
    if (method !== 'GET' && !(await isGood(cloud(), token))) tokens.delete(name);
    return reply;
  };
}

/** Whether the token is as good as it was: a sign-out, a new password and more end it. */
async function isGood({ cloud }: TestCloud, token: string | undefined): Promise<boolean> {
  // A display changes nothing, and so ends no token.
  if (token === undefined || token.startsWith(DISPLAY_TOKEN)) return true;
  const { sessions } = cloud.features;
  const kinds = [
    sessions.verify(token),
    sessions.verifyPending(token, 'code'),
    sessions.verifyPending(token, 'setup'),
  ];
  const opened = await Promise.allSettled(kinds);
  const isStill = opened.some(({ status }) => status === 'fulfilled');
  // Tokens made in the millisecond of a revocation are revoked by it.
  if (!isStill) await new Promise((resolve) => setTimeout(resolve, 2));
  return isStill;
}

export async function newDevice({ cloud }: TestCloud, workgroup = 'main'): Promise<string> {
  const device = { name: crypto.randomUUID(), arch: 'arm64', ced: false } as const;
  return (await cloud.features.devices.create(workgroup, device, null)).id;
}

/** The path of a call with the example's parameters, or with others. */
export function pathOf(endpoint: Endpoint, others: Readonly<Record<string, string>> = {}): string {
  const values = { ...exampleParams(endpoint), ...others };
  const path = endpoint.url
    .slice(1)
    .replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
  const query = new URLSearchParams((endpoint.example?.query ?? {}) as Record<string, string>).toString();
  return query === '' ? path : `${path}?${query}`;
}
