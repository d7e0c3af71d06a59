import type { SessionClaims } from '@albedo/contract/sessions/sessions.schema';
import { generate } from 'otplib';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { Tokens } from '../sessions/tokens.ts';
import { NEW_TOKEN } from '../testing/identities.ts';
import { auditOf, startTestCloud, type TestCloud, USER_PASSWORD } from '../testing/test-cloud.ts';

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud({ ALBEDO_STAFF_DOMAINS: 'provider.example' });
});
afterAll(() => cloud.stop());

const claimsOf = (token: string) => cloud.cloud.features.sessions.verify(token);
/** The same session as it is six minutes later, or with other claims. */
async function stale(token: string, of: Partial<SessionClaims> = {}): Promise<string> {
  const claims = await claimsOf(token);
  const confirmedAt = claims.iat - 360;
  return new Tokens(cloud.signingKey()).sign({ ...claims, confirmedAt, ...of }, claims.iat * 1000);
}
const admin = () => cloud.newUser({ main: { role: 'admin', permissions: ['read', 'manageAccess'] } });
const makeToken = (token: string) =>
  cloud.call('POST', 'orgs/main/api-tokens', { token, body: { ...NEW_TOKEN, permissions: ['read'] } });
const confirm = (token: string, body: object) => cloud.call('POST', 'me/confirm', { token, body });

test('what a stolen session must not do waits for the password, and goes on with the new token alone', async () => {
  const token = await admin();
  expect((await makeToken(token)).status).toBe(200);
  const old = await stale(token);
  expect(await makeToken(old)).toMatchObject({ status: 403, body: { error: 'session.not_fresh' } });
  expect((await cloud.call('GET', 'me/confirm', { token: old })).body).toEqual({ factors: ['password'] });
  const wrong = await confirm(old, { factor: 'password', password: 'a wrong one' });
  expect(wrong).toMatchObject({ status: 400, body: { error: 'account.password_wrong' } });
  const right = await confirm(old, { factor: 'password', password: USER_PASSWORD });
  expect(right.status).toBe(200);
  expect((await makeToken(right.body.token)).status).toBe(200);
  expect((await makeToken(old)).body.error).toBe('session.not_fresh');
  const [before, after] = [await claimsOf(old), await claimsOf(right.body.token)];
  expect([after.jti, after.exp]).toEqual([before.jti, before.exp]);
  const done = (await auditOf(cloud, 'main')).filter(({ action }) => action === 'Confirm');
  expect(done.map(({ status }) => status)).toEqual(['failed', 'success']);
});

test('an account with a second factor is confirmed with that, never with the password alone', async () => {
  const token = await admin();
  const setup = await cloud.call('POST', 'me/totp-setup', { token });
  const secret = new URL(setup.body.uri).searchParams.get('secret') ?? '';
  await cloud.call('PUT', 'me/totp-setup', { token, body: { key: await generate({ secret }) } });
  const { _id } = await claimsOf(token);
  await cloud.cloud.features.postgres.query(
    `update totp_secrets set last_step = null where user_id = '${_id}'`,
  );
  const old = await stale(token);
  expect((await cloud.call('GET', 'me/confirm', { token: old })).body).toEqual({ factors: ['totp'] });
  const byPassword = await confirm(old, { factor: 'password', password: USER_PASSWORD });
  expect(byPassword).toMatchObject({ status: 403, body: { error: 'request.forbidden' } });
  const byCode = await confirm(old, { factor: 'totp', key: await generate({ secret }) });
  expect(byCode.status).toBe(200);
  expect((await makeToken(byCode.body.token)).status).toBe(200);
});

test('a session of an identity provider is confirmed by another sign-in, not by a password', async () => {
  const old = await stale(await admin(), { idpId: crypto.randomUUID() });
  expect((await cloud.call('GET', 'me/confirm', { token: old })).body).toEqual({ factors: ['sso'] });
  expect((await confirm(old, { factor: 'password', password: USER_PASSWORD })).status).toBe(403);
});

test('a session that was left open lets nobody else in, widens nobody and opens nothing again', async () => {
  const owner = await stale(await cloud.owner());
  const staff = await stale(await cloud.tokenOf('s@provider.example'));
  const { _id } = await claimsOf(await admin());
  const ask = async (method: 'POST' | 'PUT' | 'DELETE', path: string, body: object = {}) => {
    const token = path.startsWith('opsteam/') ? staff : owner;
    return (await cloud.call(method, path, { token, body })).body.error;
  };
  const display = { name: 'Entrance', pages: [{ board: crypto.randomUUID() }] };
  for (const refused of [
    ask('POST', 'orgs/main/members', { email: 'accomplice@example.org', role: 'power' }),
    ask('PUT', `orgs/main/members/${_id}`, { permissions: ['manageAccess'] }),
    ask('POST', 'orgs/main/members/device-group', { ids: [_id], devGroup: null }),
    ask('PUT', 'orgs/main/remote-access', { isAllowed: true }),
    ask('POST', 'displays/main', display),
    ask('PUT', `opsteam/users/${_id}`, { mfaRequired: false }),
    ask('POST', 'opsteam/workgroups/main/export'),
    ask('DELETE', 'opsteam/workgroups/main'),
  ])
    expect(await refused).toBe('session.not_fresh');
  // What shuts doors does not wait.
  expect(await ask('PUT', 'orgs/main/remote-access', { isAllowed: false })).toBeUndefined();
  expect(await ask('PUT', `opsteam/users/${_id}`, { mfaRequired: true })).toBeUndefined();
});

test('a changed profile and a new address make no session fresh again', async () => {
  const old = await stale(await admin());
  const { body } = await cloud.call('PUT', 'me/profile', { token: old, body: { name: 'Another' } });
  expect((await makeToken(body.token)).body.error).toBe('session.not_fresh');
});

test('a confirmation ends the token of before, once the calls that are under way had their time', async () => {
  const old = await stale(await cloud.newUser({ main: { role: 'readonly' } }));
  const { token } = (await confirm(old, { factor: 'password', password: USER_PASSWORD })).body;
  const statusOf = async (one: string) => (await cloud.call('GET', 'me', { token: one })).status;
  expect([await statusOf(old), await statusOf(token)]).toEqual([200, 200]);
  vi.useFakeTimers({ now: Date.now() + 11_000, toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  expect([await statusOf(old), await statusOf(token)]).toEqual([401, 200]);

  const { jti, confirmedAt } = await claimsOf(token);
  const kept = await cloud.cloud.features.postgres.query(
    `select confirmed_at as "confirmedAt" from open_sessions where jti = '${jti}'`,
  );
  expect(kept).toEqual([{ confirmedAt }]);
});
