import type { SignInSettings } from '@albedo/contract/identity-providers/identity-providers.schema';
import { sql } from 'drizzle-orm';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Claims, encoded, ownCertificates, SamlIdp } from '../testing/saml-idp.ts';
import { SsoBrowser, type SsoOutcome } from '../testing/sso-browser.ts';
import { auditOf, startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

const STAFF_DOMAIN = 'provider.example';
const PERSISTENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent';
const MINUTE = 60_000;

let cloud: TestCloud;
let idp: SamlIdp;
let spCertificate = '';
beforeAll(async () => {
  cloud = await startTestCloud({ ALBEDO_STAFF_DOMAINS: STAFF_DOMAIN });
  idp = await SamlIdp.make();
  spCertificate = (await ownCertificates(cloud)).signing;
});
afterAll(() => cloud.stop());

/** Somebody who was invited with the provider of the one workgroup. */
let wg = '';
let owner = '';
let email = '';
let idpId = '';
let tests = 0;
beforeEach(async () => {
  tests++;
  wg = `wg-${tests}`;
  email = `zoe-${tests}@example.org`;
  owner = await cloud.newUser({ [wg]: { role: 'owner' } });
  const body = { provider: { kind: 'saml', name: 'Contoso', metadata: idp.metadata } };
  const reply = await cloud.call('PUT', `orgs/${wg}/idp`, { token: owner, headers: from(), body });
  idpId = reply.body.provider.id;
  await invite(email);
});

const from = () => ({ 'x-forwarded-for': `198.51.100.${tests}` });
const invite = (address: string, more: object = {}) =>
  cloud.call('POST', `orgs/${wg}/members`, {
    token: owner,
    headers: from(),
    body: { email: address, role: 'power', idpId, ...more },
  });
const provider = async () =>
  ((await cloud.call('GET', `orgs/${wg}/idp`, { token: owner })).body as SignInSettings).provider;
async function signIn(
  says: Partial<Claims> = {},
  alter = (xml: string, _request: { issuer: string }) => xml,
): Promise<SsoOutcome> {
  const browser = new SsoBrowser(cloud);
  const request = idp.read(await browser.begin(idpId), spCertificate);
  const xml = alter(idp.respond(request, { nameId: email, ...says }), request);
  return browser.post(encoded(xml), request.relayState);
}
const userOf = (outcome: SsoOutcome) => decodeJwt(outcome.token ?? '')._id;
async function reasonOf(says: Partial<Claims>, alter?: (xml: string) => string, error = 'refused') {
  expect(await signIn(says, alter)).toEqual({ token: null, error });
  return (await provider())?.lastFailure ?? '';
}

describe('what is wrong with an answer is said with what to set instead:', () => {
  const hour = 60 * MINUTE;
  const signatureIn = (xml: string) => /<(?:ds:)?Signature .*<\/(?:ds:)?Signature>/s.exec(xml)?.[0] ?? '';
  const other = (from: string, to: string) => (xml: string) => xml.replace(from, to);
  test.each<[string, Partial<Claims>, ((xml: string) => string) | undefined, RegExp]>([
    [
      'an elliptic signature',
      {},
      other('xmldsig-more#rsa-sha256', 'xmldsig-more#ecdsa-sha256'),
      /signed with \S+#ecdsa-sha256\. Set the signature algorithm .* RSA-SHA256 or RSA-SHA512/,
    ],
    [
      'RSA with SHA-384',
      {},
      other('xmldsig-more#rsa-sha256', 'xmldsig-more#rsa-sha384'),
      /#rsa-sha384\. Set the signature algorithm/,
    ],
    [
      'a digest of SHA-1',
      { digestAlgorithm: 'http://www.w3.org/2000/09/xmldsig#sha1' },
      undefined,
      /digest of its signature is \S+#sha1\. Set the digest algorithm at the provider to SHA-256/,
    ],
    ['no signature', { signWith: null }, undefined, /The assertion is not signed\. Let the provider sign/],
    [
      'a signature of the answer alone',
      {},
      (xml) =>
        xml.replace(signatureIn(xml), '').replace('<samlp:Status>', `${signatureIn(xml)}<samlp:Status>`),
      /Only the response is signed, not the assertion in it\./,
    ],
    [
      'an answer that was changed, or a certificate that is not known',
      {},
      (xml) => xml.replaceAll(`>${email}<`, '>eve@example.org<'),
      /matches none of the signing certificates \(1\) .* save its metadata here again/,
    ],
    [
      'a clock that is ten minutes ahead',
      { notBefore: Date.now() + 10 * MINUTE, notOnOrAfter: Date.now() + hour },
      undefined,
      /not valid yet\. The clock of the provider says 2\S+Z, ours 2\S+Z; .* \(NTP\)/,
    ],
    [
      'a clock that is ten minutes behind',
      { notBefore: Date.now() - hour, notOnOrAfter: Date.now() - 10 * MINUTE },
      undefined,
      /has expired\. The clock of the provider says/,
    ],
    [
      'another audience',
      { audience: 'urn:other' },
      undefined,
      /is urn:other\. Set .* to http\S+\/metadata\/wg-/,
    ],
    [
      'another address',
      { recipient: 'https://other.example/acs' },
      undefined,
      /for the address https:\/\/other\.example\/acs\. Set the reply address \(ACS\) .*callback/,
    ],
    [
      'another provider',
      { issuer: 'urn:other' },
      undefined,
      /made by urn:other, .* Save the metadata of that/,
    ],
    [
      'nobody',
      { nameId: 'x', nameIdFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient', attributes: {} },
      undefined,
      /names nobody: .* send the email address as NameID/,
    ],
  ])('%s', async (_name, says, alter, reason) => {
    expect(await reasonOf(says, alter)).toMatch(reason);
  });

  test('a rule that is missing at the provider (ADFS)', async () => {
    const none = (xml: string) =>
      xml
        .replace(/<saml:Assertion.*<\/saml:Assertion>/s, '')
        .replace(
          'status:Success"/>',
          'status:Requester"><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:InvalidNameIDPolicy"/></samlp:StatusCode>',
        );
    expect(await reasonOf({}, none, 'cancelled')).toMatch(
      /InvalidNameIDPolicy \(Requester\)\. .* NameID .* Add one/,
    );
  });
});

test.each([1, 2.9])('clocks may be %d minutes apart', async (minutes) => {
  const ahead = { notBefore: Date.now() + minutes * MINUTE - 2000, notOnOrAfter: Date.now() + 60 * MINUTE };
  expect((await signIn(ahead)).token).toBeTruthy();
  const behind = { notBefore: Date.now() - 60 * MINUTE, notOnOrAfter: Date.now() - minutes * MINUTE + 2000 };
  expect((await signIn(behind)).token).toBeTruthy();
});

describe('a person', () => {
  test('is the same in other letters', async () => {
    const first = userOf(await signIn({ nameId: email.toUpperCase() }));
    expect(userOf(await signIn({ nameId: email }))).toBe(first);
  });

  test('with several addresses is found by the one that was invited', async () => {
    const mail = [`alias-${tests}@example.org`, email];
    const says = { nameId: 'u-1', nameIdFormat: PERSISTENT, attributes: { mail } };
    expect(decodeJwt((await signIn(says)).token ?? '')).toMatchObject({ email });
  });

  test('without an address reads so, and so do people who manage access', async () => {
    const says = { nameId: 'u-1', nameIdFormat: PERSISTENT, attributes: {} };
    expect(await reasonOf(says, undefined, 'no_email')).toMatch(
      /named u-1 without an email address, .* as NameID or as the attribute "email"/,
    );
  });

  test('who is known by a lasting name stays the same when the address changes', async () => {
    const lasting = { nameId: `u-${tests}`, nameIdFormat: PERSISTENT };
    const first = userOf(await signIn({ ...lasting, attributes: { mail: email } }));
    expect(userOf(await signIn({ ...lasting, attributes: { mail: 'new@example.org' } }))).toBe(first);
  });

  test('who is known by the address is somebody new after it changed, which is said', async () => {
    await signIn();
    expect(await reasonOf({ nameId: 'new@example.org' }, undefined, 'not_invited')).toMatch(
      /^new@example\.org was not invited .* If their address changed there, invite the new one\./,
    );
  });

  test('whose invitation expired, or is for a password, is told apart', async () => {
    await cloud.cloud.features.postgres.db.execute(
      sql`update invites set expires_at = '2020-01-01' where email = ${email}`,
    );
    expect(await reasonOf({}, undefined, 'not_invited')).toMatch(/invite that has expired\. Send it again/);
    await invite(email, { idpId: null });
    expect(await reasonOf({}, undefined, 'not_invited')).toMatch(/invited to sign in with a password/);
  });

  test('who has an account opens the link first, and a member with a password is invited again', async () => {
    ({ email } = decodeJwt(await cloud.newUser({ [`theirs-${tests}`]: { role: 'owner' } })) as {
      email: string;
    });
    await invite(email);
    expect(await reasonOf({}, undefined, 'not_invited')).toMatch(/has not opened the link in the invite yet/);
    ({ email } = decodeJwt(await cloud.newUser({ [wg]: { role: 'power' } })) as { email: string });
    expect(await reasonOf({}, undefined, 'not_invited')).toMatch(/signs in to the workgroup with a password/);
  });

  test('of the staff gets no account from a provider', async () => {
    const nameId = `eve-${tests}@${STAFF_DOMAIN}`;
    await invite(nameId);
    expect(await reasonOf({ nameId }, undefined, 'not_invited')).toMatch(/of the staff of this service/);
  });

  test('whom the provider names differently is told apart from a stranger', async () => {
    await signIn({ nameId: 'u-1', nameIdFormat: PERSISTENT, attributes: { mail: email } });
    expect(await reasonOf({}, undefined, 'not_invited')).toMatch(/known by another name/);
  });
});

test('the second factor is the matter of the provider, also where the workgroup demands one', async () => {
  const { postgres } = cloud.cloud.features;
  await postgres.db.execute(sql`update workgroups set mfa_required = true where name = ${wg}`);
  const { token } = await signIn();
  expect((await cloud.call('GET', 'me', { token: token ?? '' })).status).toBe(200);
});

test('a suspended workgroup says that it is, and the sign-in is none that failed', async () => {
  const { workgroups } = cloud.cloud.features;
  await signIn();
  workgroups.applySuspension({ workgroup: wg, isSuspended: true });
  const { token } = await signIn();
  const reply = await cloud.call('GET', `devices/${wg}`, { token: token ?? '' });
  expect(reply.body.error).toBe('workgroup.suspended');
  workgroups.applySuspension({ workgroup: wg, isSuspended: false });
  expect((await provider())?.failures).toEqual([]);
});

test('a relay state that was changed opens nothing', async () => {
  const browser = new SsoBrowser(cloud);
  const request = idp.read(await browser.begin(idpId), spCertificate);
  const answer = encoded(idp.respond(request, { nameId: email }));
  for (const relayState of ['', `${request.relayState}x`, 'https://evil.example'])
    expect(await browser.post(answer, relayState)).toEqual({ token: null, error: 'expired' });
  expect((await browser.post(answer, request.relayState)).token).toBeTruthy();
});

test('the latest failures are kept with their reasons, and stand in the audit log', async () => {
  await cloud.cloud.features.postgres.db.execute(
    sql`insert into sso_failures (idp_id, at, reason) select ${idpId}::uuid, now(), n::text from generate_series(1, 20) n`,
  );
  for (const audience of ['urn:first', 'urn:second']) await signIn({ audience });
  const failures = (await provider())?.failures ?? [];
  expect(failures.map(({ reason }) => reason.slice(0, 47))).toEqual([
    'The audience of the assertion is urn:second. Se',
    'The audience of the assertion is urn:first. Set',
    ...Array.from({ length: 18 }, (_one, at) => String(20 - at)),
  ]);
  const [login] = (await auditOf(cloud, wg)).filter(({ action }) => action === 'login');
  expect(login).toMatchObject({ status: 'failed' });
  expect(login?.new_value).toMatch(/^SAML: Contoso: The audience of the assertion is urn:first\./);
});
