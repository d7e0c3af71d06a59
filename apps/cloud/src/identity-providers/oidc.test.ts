import type { SignInSettings } from '@albedo/contract/identity-providers/identity-providers.schema';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CLIENT, type IdClaims, OpenIdIssuer } from '../testing/openid-issuer.ts';
import { SsoBrowser, type SsoOutcome } from '../testing/sso-browser.ts';
import { startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

let cloud: TestCloud;
let issuer: OpenIdIssuer;
beforeAll(async () => {
  cloud = await startTestCloud();
  issuer = await OpenIdIssuer.start();
});
afterAll(async () => {
  await issuer.stop();
  await cloud.stop();
});

let wg = '';
let owner = '';
let email = '';
let tests = 0;
beforeEach(async () => {
  tests++;
  wg = `wg-${tests}`;
  email = `lee-${tests}@example.org`;
  issuer.says = { email, sub: `lee-${tests}` };
  owner = await cloud.newUser({ [wg]: { role: 'owner' } });
  const { status } = await setProvider({ issuer: issuer.url, ...CLIENT });
  expect(status).toBe(200);
  const body = { email, role: 'power', idpId: await providerId() };
  await cloud.call('POST', `orgs/${wg}/members`, { token: owner, headers: from(), body });
});

const from = () => ({ 'x-forwarded-for': `198.51.100.${tests}` });
const setProvider = (provider: object) =>
  cloud.call('PUT', `orgs/${wg}/idp`, {
    token: owner,
    headers: from(),
    body: { provider: { kind: 'oidc', name: 'Fabrikam', ...provider } },
  });
const settings = async () =>
  (await cloud.call('GET', `orgs/${wg}/idp`, { token: owner })).body as SignInSettings;
const providerId = async () => (await settings()).provider?.id ?? '';
const account = () => cloud.cloud.features.users.userByEmail(email);

function comeBack(browser: SsoBrowser, answer: Record<string, string>, workgroup = wg): Promise<SsoOutcome> {
  return browser.open(`/api/v1/auth/oidc/callback/${workgroup}?${new URLSearchParams(answer)}`);
}
async function signIn(
  says: Partial<IdClaims> = {},
  change: Record<string, string> = {},
): Promise<SsoOutcome> {
  issuer.says = { ...issuer.says, ...says };
  const browser = new SsoBrowser(cloud);
  const answer = issuer.authorize(await browser.begin(await providerId()));
  return comeBack(browser, { ...answer, ...change });
}

test('somebody who was invited signs in, and is known by the subject from then on', async () => {
  const first = decodeJwt((await signIn()).token ?? '');
  expect(first).toMatchObject({ email, name: 'Lee', memberOf: [wg], idpId: await providerId() });
  const renamed = await signIn({ email: `someone-else-${tests}@example.org` });
  expect(decodeJwt(renamed.token ?? '')._id).toBe(first._id);
  // Somebody else with the address of an account that is linked is not that account.
  expect(await signIn({ sub: 'another', email })).toEqual({ token: null, error: 'not_invited' });
});

test('the client secret is never told, and stays when only the name changes', async () => {
  expect(JSON.stringify(await settings())).not.toContain(CLIENT.clientSecret);
  const { clientId } = CLIENT;
  const renamed = await setProvider({ name: 'Fabrikam AG', issuer: issuer.url, clientId });
  expect(renamed.body.provider).toMatchObject({ name: 'Fabrikam AG', hasSecret: true });
  expect((await signIn()).token).toBeTruthy();
  const moved = await setProvider({ issuer: issuer.url, clientId: 'another' });
  expect(moved.body.error).toBe('sso.secret_missing');
});

describe('an answer is refused, and nothing is made of it,', () => {
  const refusals: Record<string, Partial<IdClaims>> = {
    'with another nonce': { nonce: 'another' },
    'for another client': { aud: 'another' },
    'of another issuer': { iss: 'https://other.example' },
    'signed with another key': { isForged: true },
    'that is expired': { exp: 1000 },
    'with an address that was not verified': { email_verified: false },
  };
  test.each(Object.entries(refusals))('%s', async (_name, says) => {
    expect(await signIn(says)).toEqual({ token: null, error: 'refused' });
    expect(await account()).toBeUndefined();
    expect((await settings()).provider?.lastFailure).toBeTruthy();
  });

  test('with another state, or none', async () => {
    for (const state of ['another', ''])
      expect(await signIn({}, { state })).toEqual({ token: null, error: 'expired' });
  });

  test('that names another issuer in the address (mix-up)', async () => {
    expect(await signIn({}, { iss: 'https://other.example' })).toEqual({ token: null, error: 'refused' });
  });

  test('that comes to the address of another workgroup (mix-up)', async () => {
    const browser = new SsoBrowser(cloud);
    const answer = issuer.authorize(await browser.begin(await providerId()));
    expect(await comeBack(browser, answer, 'another')).toEqual({ token: null, error: 'refused' });
  });

  test('in another browser, and the second time', async () => {
    const browser = new SsoBrowser(cloud);
    const answer = issuer.authorize(await browser.begin(await providerId()));
    const victim = new SsoBrowser(cloud);
    expect(await comeBack(victim, answer)).toEqual({ token: null, error: 'refused' });
    expect(await comeBack(browser, answer)).toEqual({ token: null, error: 'expired' });
  });

  test('when the provider says no', async () => {
    const browser = new SsoBrowser(cloud);
    const { state = '' } = issuer.authorize(await browser.begin(await providerId()));
    const outcome = await comeBack(browser, { state, error: 'access_denied', iss: issuer.url });
    expect(outcome).toEqual({ token: null, error: 'cancelled' });
    expect((await settings()).provider?.lastFailure).toContain('access_denied');
  });
});

test.each([
  ['http://example.org', 'must begin with https://'],
  ['https://169.254.169.254', 'not a public address'],
  ['https://login.microsoftonline.com/common/v2.0', 'Enter that of your tenant'],
  ['https://login.microsoftonline.com/organizations', 'Enter that of your tenant'],
  ['https://no-such-machine.invalid', 'no-such-machine.invalid'],
])('the issuer %s is refused in words', async (address, text) => {
  const reply = await setProvider({ issuer: address, ...CLIENT });
  expect(reply).toMatchObject({ status: 400, body: { error: 'sso.issuer_failed' } });
  expect(reply.body.message).toContain(text);
});

test('clocks may be three minutes apart, and no more', async () => {
  const ago = (seconds: number) => Math.floor(Date.now() / 1000) - seconds;
  expect((await signIn({ exp: ago(120) })).token).toBeTruthy();
  expect(await signIn({ exp: ago(240) })).toEqual({ token: null, error: 'refused' });
});

test('without the claim email the first sign-in says so, and what to send', async () => {
  expect(await signIn({ email: undefined })).toEqual({ token: null, error: 'no_email' });
  expect((await settings()).provider?.lastFailure).toContain('as the claim "email"');
});

test('a client secret that is not good any more is named', async () => {
  expect((await setProvider({ issuer: issuer.url, ...CLIENT, clientSecret: 'an old one' })).status).toBe(200);
  expect(await signIn()).toEqual({ token: null, error: 'refused' });
  expect((await settings()).provider?.lastFailure).toMatch(
    /invalid_client\. Check client ID and client secret/,
  );
});

test('an issuer that calls itself differently is reported by that name', async () => {
  issuer.callsItself = 'https://login.example/{tenantid}/v2.0';
  const reply = await setProvider({ issuer: issuer.url, ...CLIENT, clientId: 'another' });
  issuer.callsItself = null;
  expect(reply.body.message).toContain(
    'the issuer there is https://login.example/{tenantid}/v2.0. Enter it so',
  );
});
