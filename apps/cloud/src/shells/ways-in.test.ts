import type { SessionClaims } from '@albedo/contract/sessions/sessions.schema';
import { TUNNEL_LIMITS } from '@albedo/contract/tunnels/tunnels.schema';
import { generate } from 'otplib';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { AuditStore } from '../audit/audit.store.ts';
import { Tokens } from '../sessions/tokens.ts';
import { connectAgent } from '../testing/fake-agent.ts';
import { auditOf, startTestCloud, type TestCloud, USER_PASSWORD } from '../testing/test-cloud.ts';
import { TunnelsStore } from '../tunnels/tunnels.store.ts';

let cloud: TestCloud;
let device = '';
let owner = '';
beforeAll(async () => {
  cloud = await startTestCloud();
  device = (await connectAgent(cloud, 'main', 'Roof')).id;
  await vi.waitFor(() => expect(cloud.cloud.features.health.of(device).online).toBe(true));
});
afterAll(() => cloud.stop());
beforeEach(async () => {
  owner = await cloud.owner();
});

const open = async (token: string) => {
  const { status, body } = await cloud.call('POST', `devices/main/${device}/shells`, { token });
  return body.error ?? status;
};
const confirm = async (token: string, body: object) =>
  (await cloud.call('POST', 'me/confirm', { token, body })).body.token as string;
const byPassword = (token: string) => confirm(token, { factor: 'password', password: USER_PASSWORD });
const setRule = (token: string, factor: string) =>
  cloud.call('PUT', 'orgs/main/shell-rule', { token, body: { factor } });

/** The token of a session as it would be `seconds` later: what happens within one second counts as one. */
async function later(token: string, of: Partial<SessionClaims> = {}): Promise<string> {
  const claims = await cloud.cloud.features.sessions.verify(token);
  const confirmedAt = (claims.confirmedAt ?? claims.iat) + 2;
  return new Tokens(cloud.signingKey()).sign({ ...claims, confirmedAt, ...of }, claims.iat * 1000);
}

test('a terminal asks anew each time, also right after the sign-in', async () => {
  const token = await cloud.newUser({ main: { role: 'power' } });
  expect(await open(token)).toBe('session.not_fresh');
  const confirmed = await byPassword(token);
  expect(await open(confirmed)).toBe(200);
  expect(await open(confirmed)).toBe('session.not_fresh');
  expect(await open(await later(confirmed))).toBe(200);
});

test('what a workgroup asks for does not change without its word in the audit log', async () => {
  const append = vi.spyOn(AuditStore.prototype, 'append').mockRejectedValue(new Error('no place'));
  try {
    expect((await setRule(owner, 'passkey')).status).toBe(500);
  } finally {
    append.mockRestore();
  }
  expect((await cloud.call('GET', 'orgs/main/shell-rule', { token: owner })).body.factor).toBe('any');
});

test('a workgroup may ask for a second factor or for a passkey', async () => {
  const token = await byPassword(await cloud.newUser({ main: { role: 'power' } }));
  expect((await setRule(owner, 'secondFactor')).body).toMatchObject({ factor: 'secondFactor' });
  expect(await open(token)).toBe('shell.second_factor_needed');
  await setRule(owner, 'passkey');
  expect(await open(token)).toBe('shell.passkey_needed');
  expect(await open(await later(token, { confirmedWith: 'totp' }))).toBe('shell.passkey_needed');
  expect(await open(await later(token, { confirmedWith: 'passkey' }))).toBe(200);
  await setRule(owner, 'any');
  expect((await auditOf(cloud, 'main')).filter(({ controller }) => controller === 'shell_rule')).toHaveLength(
    3,
  );
});

test('a code is a second factor, and the sign-in with it is none', async () => {
  const token = await cloud.newUser({ main: { role: 'power' } });
  const setup = await cloud.call('POST', 'me/totp-setup', { token });
  const secret = new URL(setup.body.uri).searchParams.get('secret') ?? '';
  await cloud.call('PUT', 'me/totp-setup', { token, body: { key: await generate({ secret }) } });
  await cloud.cloud.features.postgres.query(
    `update totp_secrets set last_step = null where user_id = '${(await cloud.cloud.features.sessions.verify(token))._id}'`,
  );
  await setRule(owner, 'secondFactor');
  expect(await open(token)).toBe('shell.second_factor_needed');
  expect(await open(await confirm(token, { factor: 'totp', key: await generate({ secret }) }))).toBe(200);
  await setRule(owner, 'any');
});

test('only an owner says what a terminal asks for', async () => {
  const admin = await cloud.newUser({ main: { role: 'admin', permissions: ['manageAccess'] } });
  expect((await setRule(admin, 'any')).body.error).toBe('shell.owners_only');
  const { body } = await cloud.call('GET', 'orgs/main/shell-rule', { token: admin });
  expect(body.factor).toBe('any');
});

test('a terminal and a tunnel that nobody attached to end, and the log says so', async () => {
  const { postgres, shells } = cloud.cloud.features;
  const tunnels = new TunnelsStore(postgres);
  const endTunnels = () => tunnels.endUnattached(new Date(Date.now() - TUNNEL_LIMITS.attachMs));
  const permissions = ['read', 'tunnel'] as const;
  const token = await byPassword(
    await cloud.newUser({ main: { role: 'power', permissions: [...permissions] } }),
  );
  expect(await open(token)).toBe(200);
  const tunnel = await cloud.call('POST', `devices/main/${device}/tunnels`, {
    token: await later(token),
    body: { kind: 'tcp', host: '10.0.0.5', port: 502 },
  });
  expect(tunnel.status).toBe(200);
  await shells.endStale();
  await endTunnels();
  const openOnes = async () => [
    (await shells.list('main', device)).filter(({ endedAt }) => endedAt === null).length,
    (await tunnels.list('main', device)).filter(({ endedAt }) => endedAt === null).length,
  ];
  const [before = 0] = await openOnes();
  expect(await openOnes()).toEqual([before, 1]);
  await postgres.query("update shell_sessions set opened_at = now() - interval '61 seconds'");
  await postgres.query("update tunnels set opened_at = now() - interval '15 minutes 1 second'");
  await shells.endStale();
  await endTunnels();
  expect(await openOnes()).toEqual([0, 0]);
  expect((await shells.list('main', device))[0]?.end).toBe('unattached');
  expect((await tunnels.list('main', device))[0]?.end).toBe('unattached');
  const ends = (await auditOf(cloud, 'main')).filter(({ new_value }) => new_value === 'unattached');
  expect(ends).toHaveLength(before);
});
