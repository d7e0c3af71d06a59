import { X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import type { SignInSettings } from '@albedo/contract/identity-providers/identity-providers.schema';
import { openAuthority } from '@albedo/pki/authority';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { linkIn, mailsTo } from '../testing/outbox.ts';
import { type Claims, encoded, type IdpRequest, ownCertificates, SamlIdp } from '../testing/saml-idp.ts';
import { SsoBrowser, type SsoOutcome } from '../testing/sso-browser.ts';
import { auditOf, startTestCloud, type TestCloud, USER_PASSWORD } from '../testing/test-cloud.ts';
import { SsoRequestsStore } from './sso-requests.store.ts';

const STAFF_DOMAIN = 'provider.example';
let cloud: TestCloud;
let certificate = '';
let idp: SamlIdp;
beforeAll(async () => {
  cloud = await startTestCloud({ ALBEDO_STAFF_DOMAINS: STAFF_DOMAIN });
  idp = await SamlIdp.make();
  certificate = (await ownCertificates(cloud)).signing;
});
afterAll(() => cloud.stop());

/** Each test has a workgroup of its own, with a provider and somebody who was invited with it. */
let wg = '';
let owner = '';
let email = '';
let tests = 0;
beforeEach(async () => {
  tests++;
  wg = `wg-${tests}`;
  email = `zoe-${tests}@example.org`;
  owner = await cloud.newUser({ [wg]: { role: 'owner' } });
  await setProvider(idp);
  await invite(email);
});

async function setProvider(provider: SamlIdp, workgroup = wg, token = owner): Promise<string> {
  const body = { provider: { kind: 'saml', name: 'Contoso', metadata: provider.metadata } };
  const reply = await cloud.call('PUT', `orgs/${workgroup}/idp`, { token, body, headers: from() });
  return (reply.body as SignInSettings).provider?.id ?? '';
}
const providerId = async (workgroup = wg, token = owner): Promise<string> =>
  (await cloud.call('GET', `orgs/${workgroup}/idp`, { token })).body.provider.id;
async function invite(address: string, more: object = {}, workgroup = wg, token = owner) {
  const idpId = await providerId(workgroup, token);
  return cloud.call('POST', `orgs/${workgroup}/members`, {
    token,
    headers: from(),
    body: { email: address, role: 'power', idpId, ...more },
  });
}
/** Requests are limited by address. */
const from = () => ({ 'x-forwarded-for': `198.51.100.${tests}` });
const account = (address: string) => cloud.cloud.features.users.userByEmail(address);
const post = (path: string, body: object) => cloud.call('POST', path, { body, headers: from() });

async function begun(workgroup = wg, token = owner): Promise<{ browser: SsoBrowser; request: IdpRequest }> {
  const browser = new SsoBrowser(cloud);
  const address = await browser.begin(await providerId(workgroup, token));
  return { browser, request: idp.read(address, certificate) };
}
/** Signs in with the assertion as it is after the changes. */
async function signIn(changes: Partial<Claims> = {}, alter = (xml: string) => xml): Promise<SsoOutcome> {
  const { browser, request } = await begun();
  const xml = alter(idp.respond(request, { nameId: email, ...changes }));
  return browser.post(encoded(xml), request.relayState);
}

describe('somebody who was invited with the provider', () => {
  test('gets an account and a session of that workgroup at the first sign-in, and the same account later', async () => {
    const lookup = await post('auth/saml/login', { email });
    expect(lookup.body).toMatchObject({ id: await providerId(), kind: 'saml', name: 'Contoso' });
    const first = decodeJwt((await signIn()).token ?? '');
    expect(first).toMatchObject({ email, name: 'Zoë Müller', memberOf: [wg], staff: false });
    expect(first).toMatchObject({ idpId: await providerId(), scopes: { [wg]: { role: 'power' } } });
    expect(decodeJwt((await signIn()).token ?? '')._id).toBe(first._id);
    const { provider } = (await cloud.call('GET', `orgs/${wg}/idp`, { token: owner })).body as SignInSettings;
    expect(provider).toMatchObject({ people: 1, lastFailure: null, lastSignInAt: expect.any(Number) });
    const logins = (await auditOf(cloud, wg)).filter(({ action }) => action === 'login');
    expect(logins).toMatchObject([
      { user_id: email, attribute: 'method', new_value: 'SAML: Contoso', status: 'success' },
      { user_id: email, status: 'success' },
    ]);
  });

  test('has no password, and the login says what to do instead', async () => {
    await signIn();
    const reply = await post('auth/local', { email, password: 'whatever it is' });
    expect(reply.body).toMatchObject({ code: 400, message: 'Invalid login: Try continuing with SAML SSO' });
    await post('forgot', { email });
    await expect.poll(async () => (await mailsTo(cloud, email)).length).toBe(2);
    expect((await mailsTo(cloud, email)).at(-1)?.text).toContain('/login/sso');
  });

  test('is looked up by the address alone, with one answer for all others', async () => {
    const replies = await Promise.all(
      ['nobody@example.org', 'owner@example.org'].map((one) => post('auth/saml/login', { email: one })),
    );
    for (const { status, body } of replies)
      expect({ status, body }).toEqual({
        status: 404,
        body: { code: 404, error: 'sso.not_found', message: 'SAML SSO not found' },
      });
  });

  test('is nobody any more once removed, until invited again', async () => {
    const { token } = await signIn();
    const { _id } = decodeJwt(token ?? '');
    await cloud.call('DELETE', `orgs/${wg}/members/${_id}`, { token: owner });
    expect((await cloud.call('GET', 'me', { token: token ?? '' })).status).toBe(401);
    expect(await signIn()).toEqual({ token: null, error: 'not_invited' });
    await invite(email);
    expect(await signIn()).toEqual({ token: null, error: 'not_invited' });
    await agree(email);
    expect((await signIn()).token).toBeTruthy();
  });

  test('may not change how the account signs in: the provider is not the person', async () => {
    const token = (await signIn()).token ?? '';
    const tries = [
      ['PUT', 'me/password', { oldPassword: 'x', newPassword: 'a good long password' }],
      ['POST', 'me/email', { email: 'other@example.org' }],
      ['PUT', 'me/email', { code: '0000' }],
      ['POST', 'me/totp-setup', undefined],
      ['POST', 'me/passkeys/begin', undefined],
      ['PUT', 'me/some-thing-that-comes-later', {}],
    ] as const;
    for (const [method, path, body] of tries.slice(0, 5)) {
      const reply = await cloud.call(method, path, { token, body });
      expect(reply.body.error, path).toBe('session.from_provider');
    }
    expect((await cloud.call('PUT', 'me/profile', { token, body: { phone: '1' } })).status).toBe(200);
  });
});

/** Opens the link of the invitation, which shows that the mailbox is theirs. */
async function agree(address: string, workgroup = wg): Promise<void> {
  const token = linkIn((await mailsTo(cloud, address)).at(-1), `invitation/${workgroup}`);
  const seen = await cloud.call('GET', `newuser/${workgroup}/${token}`, { headers: from() });
  expect(seen.body).toMatchObject({ usesSso: true });
  expect((await post('newuser', { orgName: workgroup, token })).status).toBe(200);
}

/** Puts a forged assertion where the library might read it, and the signed one where it might check it. */
const FORGED = 'owner@example.org';
const forge = (xml: string): string => {
  const [assertion = ''] = /<saml:Assertion.*<\/saml:Assertion>/s.exec(xml) ?? [];
  return assertion
    .replace(/<(?:ds:)?Signature .*<\/(?:ds:)?Signature>/s, '')
    .replaceAll(email, FORGED)
    .replace(/ID="_[^"]+"/, 'ID="_forged"');
};
const assertionOf = (xml: string) => /<saml:Assertion.*<\/saml:Assertion>/s.exec(xml)?.[0] ?? '';
const WRAPPED: Record<string, (xml: string) => string> = {
  'the forged assertion before the signed one': (xml) =>
    xml.replace('<saml:Assertion', `${forge(xml)}<saml:Assertion`),
  'the forged assertion after the signed one': (xml) =>
    xml.replace('</samlp:Response>', `${forge(xml)}</samlp:Response>`),
  'the signed assertion inside the forged one': (xml) =>
    xml.replace(
      assertionOf(xml),
      forge(xml).replace('</saml:Assertion>', `${assertionOf(xml)}</saml:Assertion>`),
    ),
  'the signed assertion inside the signature of the forged one': (xml) => {
    const [signature = ''] = /<(?:ds:)?Signature .*<\/(?:ds:)?Signature>/s.exec(xml) ?? [];
    const bare = assertionOf(xml).replace(signature, '');
    const holder = signature.replace(
      /<\/((?:ds:)?Signature)>$/,
      `<Object xmlns="http://www.w3.org/2000/09/xmldsig#">${bare}</Object></$1>`,
    );
    return xml.replace(assertionOf(xml), forge(xml).replace('</saml:Issuer>', `</saml:Issuer>${holder}`));
  },
  'the signed assertion in extensions': (xml) =>
    xml.replace(assertionOf(xml), `<samlp:Extensions>${assertionOf(xml)}</samlp:Extensions>${forge(xml)}`),
  'the same ID twice': (xml) => {
    const [, id = ''] = /<saml:Assertion [^>]*ID="([^"]+)"/.exec(xml) ?? [];
    return xml.replace('<saml:Assertion', `${forge(xml).replace('_forged', id)}<saml:Assertion`);
  },
};

describe('an answer is refused, and nothing is made of it,', () => {
  const hour = 3_600_000;
  const refusals: Record<string, () => Promise<Partial<Claims>>> = {
    'for another audience': async () => ({ audience: 'https://other.example' }),
    'that is expired': async () => ({ notBefore: Date.now() - 2 * hour, notOnOrAfter: Date.now() - 181_000 }),
    'that is not valid yet': async () => ({
      notBefore: Date.now() + 200_000,
      notOnOrAfter: Date.now() + hour,
    }),
    'that is not signed': async () => ({ signWith: null }),
    'that is signed with another key': async () => ({ signWith: (await SamlIdp.make()).keys.keyPem }),
    'that is signed with SHA-1': async () => ({
      signatureAlgorithm: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1',
      digestAlgorithm: 'http://www.w3.org/2000/09/xmldsig#sha1',
    }),
    'of another issuer': async () => ({ issuer: 'https://other.example' }),
    'for another address': async () => ({ recipient: 'https://other.example/acs' }),
    'that says of nobody that he signed in': async () => ({ isSignIn: false }),
    'that is confirmed by a key and not by who bears it': async () => ({
      confirmation: 'urn:oasis:names:tc:SAML:2.0:cm:holder-of-key',
    }),
    // Of the answer around the assertion.
    'for another request': async () => ({ responseInResponseTo: '_0123' }),
    'for no request': async () => ({ responseInResponseTo: '' }),
    'whose signed part is for another request': async () => ({
      inResponseTo: '_0123',
      responseInResponseTo: (await begun()).request.id,
    }),
    'whose signed part is for no request': async () => ({
      inResponseTo: '',
      responseInResponseTo: 'filled in below',
    }),
  };
  test.each(Object.entries(refusals))('%s', async (name, changes) => {
    const { browser, request } = await begun();
    const says = await changes();
    if (name.includes('signed part')) says.responseInResponseTo = request.id;
    const xml = idp.respond(request, { nameId: email, ...says });
    expect(await browser.post(encoded(xml), request.relayState)).toEqual({ token: null, error: 'refused' });
    expect(await account(email)).toBeUndefined();
    const { provider } = (await cloud.call('GET', `orgs/${wg}/idp`, { token: owner })).body as SignInSettings;
    expect(provider?.lastFailure).toBeTruthy();
    expect((await auditOf(cloud, wg)).filter((row) => row.action === 'login')).toMatchObject([
      { status: 'failed' },
    ]);
  });

  test.each([
    ['was valid until a moment ago', { from: -hour, until: -120_000 }],
    ['will be valid in a moment', { from: 150_000, until: hour }],
  ])('but for one that %s, by a clock that is three minutes off', async (_name, of) => {
    const says = { notBefore: Date.now() + of.from, notOnOrAfter: Date.now() + of.until };
    expect((await signIn(says)).token).toBeTruthy();
  });

  test('that was tampered with', async () => {
    const outcome = await signIn({}, (xml) => xml.replaceAll(email, FORGED));
    expect(outcome).toEqual({ token: null, error: 'refused' });
  });

  test.each(Object.entries(WRAPPED))('with %s', async (_name, wrap) => {
    const outcome = await signIn({}, wrap);
    expect(outcome.token === null || decodeJwt(outcome.token).email === email).toBe(true);
    expect(outcome).toEqual({ token: null, error: 'refused' });
    expect(await account(email)).toBeUndefined();
  });

  test('with a comment that cuts a name short, which no signature sees', async () => {
    const longer = `${email}.evil.example`;
    const outcome = await signIn({ nameId: longer }, (xml) =>
      xml.replaceAll(`>${longer}<`, `>${email}<!-- -->.evil.example<`),
    );
    expect(outcome).toEqual({ token: null, error: 'not_invited' });
    expect(await account(email)).toBeUndefined();
  });

  test('that names somebody in letters which become those of another one when they are made small', async () => {
    const address = `kate-${tests}@example.org`;
    await invite(address);
    expect((await signIn({ nameId: address.replace('k', '\u212a') })).token).toBeNull();
    expect(await account(address)).toBeUndefined();
  });

  test('that nobody asked for', async () => {
    const { request } = await begun();
    const other = { ...request, id: `_${crypto.randomUUID()}` };
    const xml = idp.respond(other, { nameId: email });
    const browser = new SsoBrowser(cloud);
    expect(await browser.post(encoded(xml), other.id)).toEqual({ token: null, error: 'expired' });
    expect(await browser.post(encoded(xml), '')).toEqual({ token: null, error: 'expired' });
    expect(await browser.post(encoded(xml), request.relayState)).toEqual({ token: null, error: 'refused' });
  });

  test('a second time, for the same request and for a new one', async () => {
    const { browser, request } = await begun();
    const assertionId = '_the-same';
    const xml = encoded(idp.respond(request, { nameId: email, assertionId }));
    expect((await browser.post(xml, request.relayState)).token).toBeTruthy();
    expect(await new SsoBrowser(cloud).post(xml, request.relayState)).toEqual({
      token: null,
      error: 'expired',
    });
    expect(await signIn({ assertionId })).toEqual({ token: null, error: 'refused' });
  });

  test('in another browser than the one that began', async () => {
    const { request } = await begun();
    const victim = new SsoBrowser(cloud);
    await victim.begin(await providerId());
    const xml = idp.respond(request, { nameId: email });
    expect(await victim.post(encoded(xml), request.relayState)).toEqual({ token: null, error: 'expired' });
  });

  test('that comes too late, or whose session is fetched too late or by another browser', async () => {
    const { postgres, sessions } = cloud.cloud.features;
    const requests = new SsoRequestsStore(postgres);
    const [id, now] = [`_${crypto.randomUUID()}`, new Date()];
    const late = new Date(now.getTime() + 60_000);
    const row = { idpId: await providerId(), browserHash: 'browser', createdAt: now, expiresAt: late };
    await requests.add({ ...row, id });
    expect(await requests.takeForAnswer(id, late)).toBeUndefined();
    expect(await requests.takeForAnswer(id, now)).toMatchObject({ id });
    expect(await requests.takeForAnswer(id, now)).toBeUndefined();
    expect(await requests.finish(id, 'browser', now)).toBeUndefined();
    const userId = (await sessions.verify(owner))._id;
    await requests.grant(id, { userId, authenticatedAt: null, expiresAt: late });
    expect(await requests.finish(id, 'browser', late)).toBeUndefined();
    expect(await requests.finish(id, 'another', now)).toBeUndefined();
    expect(await requests.finish(id, 'browser', now)).toMatchObject({ id });
  });

  test('when it is no XML, or asks for entities', async () => {
    for (const xml of ['no xml', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', '<a>']) {
      const { browser, request } = await begun();
      expect(await browser.post(encoded(xml), request.relayState)).toEqual({ token: null, error: 'refused' });
    }
  });

  test('when the provider says that it failed, with its words', async () => {
    const outcome = await signIn({}, (xml) =>
      xml
        .replace(assertionOf(xml), '')
        .replace(
          'status:Success"/>',
          'status:Responder"/><samlp:StatusMessage>Access denied</samlp:StatusMessage>',
        ),
    );
    expect(outcome).toEqual({ token: null, error: 'cancelled' });
    const { provider } = (await cloud.call('GET', `orgs/${wg}/idp`, { token: owner })).body as SignInSettings;
    expect(provider?.lastFailure).toContain('Access denied');
  });
});

const withUntil = (hours: number) => {
  const until = new Date(Date.now() + hours * 3_600_000).toISOString();
  return idp.metadata.replace(' entityID=', ` validUntil="${until}" entityID=`);
};
const several = (count: number) => {
  const [entity = ''] = /<md:EntityDescriptor.*/s.exec(idp.metadata) ?? [];
  const namespace = 'urn:oasis:names:tc:SAML:2.0:metadata';
  return `<md:EntitiesDescriptor xmlns:md="${namespace}">${entity.repeat(count)}</md:EntitiesDescriptor>`;
};
const ownMetadata = async () => (await cloud.call('GET', `auth/saml/metadata/${wg}`)).body as string;
async function elliptic(): Promise<string> {
  const { caPem } = await openAuthority(join(cloud.dataDir, 'elliptic'));
  const base64 = new X509Certificate(caPem).raw.toString('base64');
  return idp.metadata.replace(/(<ds:X509Certificate>)[^<]+/, (_all, tag) => tag + base64);
}

describe("a workgroup's provider", () => {
  test('signs in nobody who was not invited with it', async () => {
    expect(await signIn({ nameId: 'stranger@example.org' })).toEqual({ token: null, error: 'not_invited' });
    const other = `plain-${tests}@example.org`;
    await invite(other, { idpId: null });
    expect(await signIn({ nameId: other })).toEqual({ token: null, error: 'not_invited' });
    expect(await account(other)).toBeUndefined();
  });

  test('cannot take over an account of another workgroup by asserting its address', async () => {
    const victim = await cloud.newUser({ [`theirs-${tests}`]: { role: 'owner' } });
    const { email: address, _id } = decodeJwt(victim) as { email: string; _id: string };
    expect(await signIn({ nameId: address })).toEqual({ token: null, error: 'not_invited' });
    await invite(address);
    expect(await signIn({ nameId: address })).toEqual({ token: null, error: 'not_invited' });
    // Once the holder of the mailbox agreed, it opens its own workgroup and nothing of theirs.
    await agree(address);
    const token = (await signIn({ nameId: address })).token ?? '';
    expect(decodeJwt(token)).toMatchObject({ _id, memberOf: [wg], staff: false });
    expect((await cloud.call('GET', `devices/theirs-${tests}`, { token })).status).toBe(403);
    const orgs = (await cloud.call('GET', 'orgs', { token })).body as { name: string }[];
    expect(orgs.map(({ name }) => name)).toEqual([wg]);
    // And the password opens theirs, and not the workgroup of the provider.
    const { body } = await post('auth/local', { email: address, password: USER_PASSWORD });
    expect(decodeJwt(body.token)).toMatchObject({ memberOf: [`theirs-${tests}`] });
  });

  test('does not answer for the provider of another workgroup', async () => {
    const other = `other-${tests}`;
    const theirOwner = await cloud.newUser({ [other]: { role: 'owner' } });
    const evil = await SamlIdp.make();
    await setProvider(evil, other, theirOwner);
    const address = await new SsoBrowser(cloud).begin(await providerId());
    const request = evil.read(address, certificate);
    const browser = new SsoBrowser(cloud);
    const asItself = encoded(evil.respond(request, { nameId: email }));
    expect(await browser.post(asItself, request.relayState)).toEqual({ token: null, error: 'refused' });
    const again = evil.read(await browser.begin(await providerId()), certificate);
    const asOther = encoded(evil.respond(again, { nameId: email, issuer: idp.entityId }));
    expect(await browser.post(asOther, again.relayState)).toEqual({ token: null, error: 'refused' });
    // The same directory of two workgroups: an answer for one is none for the other.
    await setProvider(idp, other, theirOwner);
    const { browser: theirs, request: forThem } = await begun(other, theirOwner);
    const mine = await begun();
    const crossed = encoded(idp.respond({ ...mine.request, id: forThem.id }, { nameId: email }));
    expect(await theirs.post(crossed, forThem.relayState)).toEqual({ token: null, error: 'refused' });
    expect(await account(email)).toBeUndefined();
  });

  test('makes no staff, and no account with an address of the staff', async () => {
    const address = `eve-${tests}@${STAFF_DOMAIN}`;
    await invite(address);
    expect(await signIn({ nameId: address })).toEqual({ token: null, error: 'not_invited' });
    expect(await account(address)).toBeUndefined();
    // Nor of somebody who is staff already, and agreed to it.
    const { users } = cloud.cloud.features;
    await users.addUser({
      email: address,
      name: 'Eve',
      passwordHash: 'some',
      defaultWorkgroup: null,
    });
    expect(await signIn({ nameId: address })).toEqual({ token: null, error: 'not_invited' });
    await agree(address);
    const token = (await signIn({ nameId: address })).token ?? '';
    expect(decodeJwt(token)).toMatchObject({ memberOf: [wg], staff: false });
    expect((await cloud.call('GET', 'opsteam/workgroups', { token })).status).toBe(403);
  });

  test('leaves owners their password, and ends the sessions it made when it is removed', async () => {
    const { email: ownerEmail } = decodeJwt(owner) as { email: string };
    await invite(ownerEmail);
    await agree(ownerEmail);
    const { body } = await post('auth/local', { email: ownerEmail, password: USER_PASSWORD });
    expect(decodeJwt(body.token)).toMatchObject({ memberOf: [wg] });
    owner = body.token;
    const { token } = await signIn();
    await cloud.call('PUT', `orgs/${wg}/idp`, { token: owner, body: { provider: null } });
    expect((await cloud.call('GET', 'me', { token: token ?? '' })).status).toBe(401);
    expect((await post('auth/saml/login', { email })).status).toBe(404);
    // The mailbox is enough to set a password then.
    await post('forgot', { email });
    await expect.poll(async () => (await mailsTo(cloud, email)).at(-1)?.text).toContain('/reset/');
  });

  test('does not keep an address from its holder: an ordinary invitation sets a password', async () => {
    await signIn();
    const theirs = `theirs-${tests}`;
    const theirOwner = await cloud.newUser({ [theirs]: { role: 'owner' } });
    const body = { email };
    await cloud.call('POST', `orgs/${theirs}/members`, { token: theirOwner, body, headers: from() });
    const token = linkIn((await mailsTo(cloud, email)).at(-1), `invitation/${theirs}`);
    const seen = await cloud.call('GET', `newuser/${theirs}/${token}`, { headers: from() });
    expect(seen.body).toMatchObject({ hasAccount: false, usesSso: false });
    await post('newuser', { orgName: theirs, token, name: 'Zoë', password: 'a good long password' });
    const login = await post('auth/local', { email, password: 'a good long password' });
    expect(decodeJwt(login.body.token)).toMatchObject({ memberOf: [theirs] });
    expect(decodeJwt((await signIn()).token ?? '')).toMatchObject({ memberOf: [wg] });
  });

  test('is set by owners alone, and its changes stand in the audit log', async () => {
    const manager = await cloud.newUser({ [wg]: { role: 'admin', permissions: ['read', 'manageAccess'] } });
    const reply = await cloud.call('PUT', `orgs/${wg}/idp`, { token: manager, body: { provider: null } });
    expect(reply.body.error).toBe('sso.owners_only');
    expect((await cloud.call('GET', `orgs/${wg}/idps`, { token: manager })).body).toHaveLength(1);
    const rows = (await auditOf(cloud, wg)).filter((row) => row.attribute === 'identityProvider');
    expect(rows).toMatchObject([{ action: 'create', new_value: `Contoso: saml ${idp.entityId}` }]);
  });

  test.each([
    ['no XML', 'hello', 'it is not XML'],
    ['a document type', '<!DOCTYPE a><a/>', 'document type'],
    ['a web page', '<!DOCTYPE html><html><p>Sign in</p></html>', 'it is a web page. Enter the address of'],
    ['JSON', '{"issuer":"https://idp.example"}', 'choose OpenID Connect'],
    ['expired', () => withUntil(-1), 'it was valid until 20'],
    ['of two providers', () => several(2), 'several identity providers; upload the part of one'],
    ['our own', () => ownMetadata(), 'a service provider, perhaps this one'],
    ['of a key that cannot be checked', () => elliptic(), 'a key of the kind ec'],
    [
      'a service provider',
      '<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="a"/>',
      'describes no identity provider',
    ],
  ])('is not taken from metadata that is %s', async (_name, given, text) => {
    const metadata = typeof given === 'string' ? given : await given();
    const body = { provider: { kind: 'saml', name: 'Contoso', metadata } };
    const reply = await cloud.call('PUT', `orgs/${wg}/idp`, { token: owner, body, headers: from() });
    expect(reply).toMatchObject({ status: 400, body: { error: 'sso.metadata_invalid' } });
    expect(reply.body.message).toContain(text);
    expect(await providerId()).toBeTruthy();
  });

  test('cannot be invited with from another workgroup', async () => {
    const reply = await invite(`a-${tests}@example.org`, { idpId: crypto.randomUUID() });
    expect(reply.body.error).toBe('invite.provider_unknown');
  });
});
