import { FRESH_MINUTES } from '@albedo/contract/access/access';
import type { SessionClaims } from '@albedo/contract/sessions/sessions.schema';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Tokens } from '../sessions/tokens.ts';
import { NEW_TOKEN } from '../testing/identities.ts';
import { CLIENT, OpenIdIssuer } from '../testing/openid-issuer.ts';
import { type Claims, encoded, ownCertificates, SamlIdp } from '../testing/saml-idp.ts';
import { SsoBrowser } from '../testing/sso-browser.ts';
import { auditOf, startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

const EARLIER_MS = 3_600_000;
let cloud: TestCloud;
let certificate = '';
let saml: SamlIdp;
let issuer: OpenIdIssuer;
beforeAll(async () => {
  cloud = await startTestCloud();
  [saml, issuer] = await Promise.all([SamlIdp.make(), OpenIdIssuer.start()]);
  certificate = (await ownCertificates(cloud)).signing;
});
afterAll(async () => {
  await issuer.stop();
  await cloud.stop();
});

const inSeconds = (ms: number) => Math.floor(ms / 1000);
const claimsOf = (token: string) => cloud.cloud.features.sessions.verify(token);
const makeToken = (token: string) =>
  cloud.call('POST', `orgs/${wg}/api-tokens`, { token, body: { ...NEW_TOKEN, permissions: ['read'] } });
/** The session as it is an hour after it was confirmed. */
async function stale(token: string): Promise<string> {
  const claims = await claimsOf(token);
  const of: SessionClaims = { ...claims, confirmedAt: claims.iat - inSeconds(EARLIER_MS) };
  return new Tokens(cloud.signingKey()).sign(of, claims.iat * 1000);
}
/** Where the provider is asked to confirm the session of the browser. */
const asked = async (browser: SsoBrowser, token: string): Promise<string> =>
  (await browser.ask('auth/saml/login/sso/confirm', {}, token)).body.url;
const confirmationOf = (browser: SsoBrowser): string =>
  new URL(browser.at, 'http://a').searchParams.get('confirmation') ?? '';
const confirm = (token: string, request: string) =>
  cloud.call('PUT', 'auth/saml/login/sso/confirm', { token, body: { request } });

let wg = '';
let email = '';
let tests = 0;
async function begin(provider: object): Promise<string> {
  tests++;
  wg = `wg-${tests}`;
  email = `zoe-${tests}@example.org`;
  const owner = await cloud.newUser({ [wg]: { role: 'owner' } });
  const set = { token: owner, body: { provider: { name: 'Contoso', ...provider } } };
  const { body } = await cloud.call('PUT', `orgs/${wg}/idp`, set);
  const idpId: string = body.provider.id;
  for (const address of [email, `lee-${tests}@example.org`]) {
    const invite = { email: address, role: 'power', permissions: ['read', 'manageAccess'], idpId };
    await cloud.call('POST', `orgs/${wg}/members`, { token: owner, body: invite });
  }
  return idpId;
}

describe('a SAML provider', () => {
  let browser: SsoBrowser;
  let session = '';
  let idpId = '';
  const answer = async (address: string, changes: Partial<Claims> = {}) => {
    const request = saml.read(address, certificate);
    return browser.post(encoded(saml.respond(request, { nameId: email, ...changes })), request.relayState);
  };
  beforeEach(async () => {
    idpId = await begin({ kind: 'saml', metadata: saml.metadata });
    browser = new SsoBrowser(cloud);
    const address = await browser.begin(idpId);
    expect(saml.read(address, certificate).isForced).toBe(false);
    session = (await answer(address)).token ?? '';
  });

  test('asks the person anew, and the same session is fresh afterwards', async () => {
    const old = await stale(session);
    expect(await makeToken(old)).toMatchObject({ status: 403, body: { error: 'session.not_fresh' } });
    const address = await asked(browser, old);
    expect(saml.read(address, certificate).isForced).toBe(true);
    await answer(address);
    const reply = await confirm(old, confirmationOf(browser));
    expect(reply.status).toBe(200);
    expect((await makeToken(reply.body.token)).status).toBe(200);
    const [before, after] = [await claimsOf(old), await claimsOf(reply.body.token)];
    expect([after.jti, after.exp]).toEqual([before.jti, before.exp]);
    // Good once.
    expect((await confirm(old, confirmationOf(browser))).body.error).toBe('sso.not_confirmed');
    const done = (await auditOf(cloud, wg)).filter(({ action }) => action === 'confirm');
    expect(done).toMatchObject([{ status: 'success' }]);
  });

  test('that answers without asking, by a sign-in of an hour ago, confirms nothing', async () => {
    const old = await stale(session);
    const address = await asked(browser, old);
    const done = await answer(address, { authenticatedAt: Date.now() - EARLIER_MS });
    expect(done.error).toBe('refused');
    expect((await confirm(old, saml.read(address, certificate).id)).body.error).toBe('sso.not_confirmed');
    const { body } = await cloud.call('GET', `orgs/${wg}/idp`, { token: old });
    expect(JSON.stringify(body)).toContain('did not ask the person to sign in again');
  });

  test('that signs somebody else in confirms nothing', async () => {
    const old = await stale(session);
    await answer(await asked(browser, old), { nameId: `lee-${tests}@example.org` });
    expect((await confirm(old, confirmationOf(browser))).body.error).toBe('sso.not_confirmed');
  });

  test('confirms no other session, opens none, and counts in the browser alone that asked', async () => {
    const old = await stale(session);
    const other = new SsoBrowser(cloud);
    const address = await asked(browser, old);
    const request = saml.read(address, certificate);
    const xml = encoded(saml.respond(request, { nameId: email }));
    expect(await other.post(xml, request.relayState)).toMatchObject({ token: null, error: 'expired' });
    expect((await confirm(old, request.id)).body.error).toBe('sso.not_confirmed');
    const outcome = await browser.open(`/api/v1/auth/saml/login/sso/finish?request=${request.id}`);
    expect(outcome.error).toBeNull();
    const another = await stale(await cloud.newUser({ [wg]: { role: 'admin' } }));
    expect((await confirm(another, request.id)).body.error).toBe('sso.not_confirmed');
    expect((await confirm(old, request.id)).status).toBe(200);
  });

  test('that knew the person for an hour opens a session that is not fresh', async () => {
    const again = await answer(await browser.begin(idpId), { authenticatedAt: Date.now() - EARLIER_MS });
    const { confirmedAt = 0 } = decodeJwt<SessionClaims>(again.token ?? '');
    expect(Date.now() / 1000 - confirmedAt).toBeGreaterThan(FRESH_MINUTES * 60);
    expect((await makeToken(again.token ?? '')).body.error).toBe('session.not_fresh');
  });

  test('is asked by sessions that it opened only', async () => {
    const owner = await cloud.newUser({ [wg]: { role: 'owner' } });
    expect((await browser.ask('auth/saml/login/sso/confirm', {}, owner)).body.error).toBe('sso.not_found');
  });
});

describe('an OpenID provider', () => {
  let browser: SsoBrowser;
  const answer = (address: string) =>
    browser.open(`/api/v1/auth/oidc/callback/${wg}?${new URLSearchParams(issuer.authorize(address))}`);

  test('is asked with prompt=login and max_age=0, and has to say when the person signed in', async () => {
    const idpId = await begin({ kind: 'oidc', issuer: issuer.url, ...CLIENT });
    browser = new SsoBrowser(cloud);
    issuer.says = { email, sub: `zoe-${tests}` };
    const first = await browser.begin(idpId);
    expect(new URL(first).searchParams.get('prompt')).toBeNull();
    const session = (await answer(first)).token ?? '';
    // It did not say when the person signed in.
    expect((await makeToken(session)).body.error).toBe('session.not_fresh');

    const address = await asked(browser, session);
    const { searchParams } = new URL(address);
    expect([searchParams.get('prompt'), searchParams.get('max_age')]).toEqual(['login', '0']);
    expect((await answer(address)).error).toBe('refused');

    issuer.says = { ...issuer.says, auth_time: inSeconds(Date.now() - EARLIER_MS) };
    expect((await answer(await asked(browser, session))).error).toBe('refused');

    issuer.says = { ...issuer.says, auth_time: inSeconds(Date.now()) };
    await answer(await asked(browser, session));
    const reply = await confirm(session, confirmationOf(browser));
    expect(reply.status).toBe(200);
    expect((await makeToken(reply.body.token)).status).toBe(200);
  });
});
