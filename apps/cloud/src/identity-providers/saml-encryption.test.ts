import type { SignInSettings } from '@albedo/contract/identity-providers/identity-providers.schema';
import { makeSelfSigned } from '@albedo/pki/self-signed';
import { DOMParser } from '@xmldom/xmldom';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Claims,
  type Encryption,
  encoded,
  encryptedName,
  ownCertificates,
  SamlIdp,
  withEncryptedAssertion,
} from '../testing/saml-idp.ts';
import { SsoBrowser, type SsoOutcome } from '../testing/sso-browser.ts';
import { auditOf, startTestCloud, type TestCloud } from '../testing/test-cloud.ts';
import { type Opening, withPlainAssertion } from './saml-encryption.ts';

const WG = 'encrypting';
const EMAIL = 'zoe@example.org';
const FORGED = 'owner@example.org';

let cloud: TestCloud;
let idp: SamlIdp;
let owner = '';
let certificates = { signing: '', encryption: '' };
beforeAll(async () => {
  cloud = await startTestCloud();
  idp = await SamlIdp.make();
  owner = await cloud.newUser({ [WG]: { role: 'owner' } });
  const body = { provider: { kind: 'saml', name: 'Contoso', metadata: idp.metadata } };
  const { provider } = (await cloud.call('PUT', `orgs/${WG}/idp`, { token: owner, body })).body;
  const invited = { email: EMAIL, role: 'power', idpId: provider.id };
  await cloud.call('POST', `orgs/${WG}/members`, { token: owner, body: invited });
  certificates = await ownCertificates(cloud, WG);
});
afterAll(() => cloud.stop());

const provider = async () =>
  ((await cloud.call('GET', `orgs/${WG}/idp`, { token: owner })).body as SignInSettings).provider;

/** Signs in with what the answer became. */
async function signIn(
  alter: (response: string) => Promise<string> | string,
  changes: Partial<Claims> = {},
): Promise<SsoOutcome> {
  const browser = new SsoBrowser(cloud);
  const request = idp.read(await browser.begin((await provider())?.id ?? ''), certificates.signing);
  const answer = await alter(idp.respond(request, { nameId: EMAIL, ...changes }));
  return browser.post(encoded(answer), request.relayState);
}

const assertionOf = (xml: string) => /<saml:Assertion.*<\/saml:Assertion>/s.exec(xml)?.[0] ?? '';
const encryptedOf = (xml: string) =>
  /<saml:EncryptedAssertion.*<\/saml:EncryptedAssertion>/s.exec(xml)?.[0] ?? '';
const signatureOf = (xml: string) => /<(?:ds:)?Signature .*<\/(?:ds:)?Signature>/s.exec(xml)?.[0] ?? '';
const forged = (xml: string) =>
  assertionOf(xml)
    .replace(signatureOf(xml), '')
    .replaceAll(EMAIL, FORGED)
    .replace(/ID="_[^"]+"/, 'ID="_forged"');
const encrypted = (xml: string) => withEncryptedAssertion(xml, certificates.encryption);

test('the metadata has a certificate to encrypt for, which is not the one that signs', () => {
  expect(certificates.encryption).not.toBe(certificates.signing);
});

const CBC = 'http://www.w3.org/2001/04/xmlenc#';
const GCM = 'http://www.w3.org/2009/xmlenc11#';
const MGF1P = { keyEncryptionAlgorithm: 'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p' };
const OAEP = { keyEncryptionAlgorithm: 'http://www.w3.org/2009/xmlenc11#rsa-oaep' };
/** As these are found to encrypt, and what else their administrators can choose. */
const defaults: Record<string, Partial<Encryption>> = {
  'Entra ID, ADFS and Okta': { encryptionAlgorithm: `${CBC}aes256-cbc`, ...MGF1P },
  PingFederate: { encryptionAlgorithm: `${CBC}aes128-cbc`, ...MGF1P },
  'Shibboleth and SimpleSAMLphp': { encryptionAlgorithm: `${GCM}aes128-gcm`, ...MGF1P },
  'the profile SAML2int': {
    encryptionAlgorithm: `${GCM}aes256-gcm`,
    ...MGF1P,
    keyEncryptionDigest: 'sha256',
  },
  Keycloak: {
    encryptionAlgorithm: `${GCM}aes256-gcm`,
    ...OAEP,
    keyEncryptionDigest: 'sha256',
    keyEncryptionMgf: 'sha256',
  },
  'RSA-OAEP of XML Encryption 1.1 with nothing said': { encryptionAlgorithm: `${GCM}aes128-gcm`, ...OAEP },
  'two kinds of SHA in one key': {
    encryptionAlgorithm: `${GCM}aes256-gcm`,
    ...OAEP,
    keyEncryptionDigest: 'sha512',
    keyEncryptionMgf: 'sha1',
  },
};
test.each(Object.entries(defaults))(
  'an assertion that was signed and then encrypted as by %s signs in',
  async (_name, how) => {
    const { token } = await signIn((xml) => withEncryptedAssertion(xml, certificates.encryption, how));
    expect(decodeJwt(token ?? '')).toMatchObject({ email: EMAIL, memberOf: [WG] });
  },
);

test.each([
  ['rsa-sha256', 'xmlenc#sha256'],
  ['rsa-sha512', 'xmlenc#sha512'],
])('so does one that was signed with %s', async (signature, digest) => {
  const changes = {
    signatureAlgorithm: `http://www.w3.org/2001/04/xmldsig-more#${signature}`,
    digestAlgorithm: `http://www.w3.org/2001/04/${digest}`,
  };
  expect((await signIn(encrypted, changes)).token).toBeTruthy();
  expect((await signIn((xml) => xml, changes)).token).toBeTruthy();
});

/** An answer as this server is set up, without a sign-in around it. */
const openedAs = async (opening: Opening, how: Partial<Encryption>, certPem: string) => {
  const request = {
    id: '_1',
    acsUrl: 'https://albedo.example.org',
    issuer: 'a',
    relayState: '',
    isForced: false,
  };
  const xml = await withEncryptedAssertion(idp.respond(request, { nameId: EMAIL }), certPem, how);
  return withPlainAssertion(new DOMParser().parseFromString(xml, 'text/xml'), opening);
};

test('where the operator takes no old ciphers, what has one is refused with what to set instead', async () => {
  const { certPem, keyPem } = await makeSelfSigned('ours', 1);
  const strict = { keys: [keyPem], oldCiphers: false };
  const { Keycloak = {}, ...others } = defaults;
  expect(await openedAs(strict, Keycloak, certPem)).toContain(EMAIL);
  for (const [name, how] of Object.entries(others)) {
    await expect(openedAs(strict, how, certPem), name).rejects.toThrow(/Set (the|it) .*at the provider/);
    expect(await openedAs({ ...strict, oldCiphers: true }, how, certPem), name).toContain(EMAIL);
  }
});

test('after our keys were changed, a provider that has not read the new metadata is still understood', async () => {
  const [before, now] = [await makeSelfSigned('ours', 1), await makeSelfSigned('ours', 1)];
  const both = { keys: [now.keyPem, before.keyPem], oldCiphers: true };
  expect(await openedAs(both, {}, before.certPem)).toContain(EMAIL);
  expect(await openedAs(both, {}, now.certPem)).toContain(EMAIL);
  await expect(openedAs({ ...both, keys: [now.keyPem] }, {}, before.certPem)).rejects.toThrow();
});

test('the key may stand beside what it opens, as OpenSAML has it', async () => {
  const { token } = await signIn(async (xml) => {
    const inside = await encrypted(xml);
    const [key = ''] = /<(?:\w+:)?EncryptedKey.*<\/(?:\w+:)?EncryptedKey>/s.exec(inside) ?? [];
    return inside
      .replace(key, '')
      .replace('</saml:EncryptedAssertion>', () => `${key}</saml:EncryptedAssertion>`);
  });
  expect(token).toBeTruthy();
});

const named = (how: Partial<Encryption>) => encryptedName(EMAIL, certificates.encryption, how);

describe('a name that is encrypted in the assertion (EncryptedID)', () => {
  test('signs in, also where the assertion is encrypted around it', async () => {
    const nameXml = await named({ encryptionAlgorithm: `${GCM}aes256-gcm` });
    for (const alter of [(xml: string) => xml, encrypted])
      expect(decodeJwt((await signIn(alter, { nameXml })).token ?? '')).toMatchObject({ email: EMAIL });
  });

  test('is not opened where a change of it would go unnoticed, with what to set instead', async () => {
    const nameXml = await named({ encryptionAlgorithm: `${CBC}aes256-cbc` });
    expect((await signIn((xml) => xml, { nameXml })).error).toBe('refused');
    expect((await provider())?.lastFailure).toMatch(
      /aes256-cbc\. Set .* to one of these: aes256-gcm, aes128-gcm\./,
    );
  });

  test('is told to nobody whom it was not meant for: the key is that of all workgroups', async () => {
    const nameXml = await encryptedName('secret@theirs.example', certificates.encryption, {
      encryptionAlgorithm: `${GCM}aes256-gcm`,
    });
    expect((await signIn((xml) => xml, { nameXml })).error).toBe('not_invited');
    expect((await provider())?.lastFailure).toMatch(
      /^Someone whose name the provider encrypted was not invited/,
    );
    const text = JSON.stringify([await provider(), await auditOf(cloud, WG)]);
    expect(text).not.toContain('theirs.example');
  });
});

const UNREADABLE = 'cannot be opened with the key of the certificate in our metadata';
const SHA1 = {
  signatureAlgorithm: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1',
  digestAlgorithm: 'http://www.w3.org/2000/09/xmldsig#sha1',
};
const refusals: Record<
  string,
  { changes?: Partial<Claims>; alter?: (xml: string) => Promise<string> | string; reason: string }
> = {
  'that nobody signed': { changes: { signWith: null }, reason: UNREADABLE },
  'signed with SHA-1 inside': { changes: SHA1, reason: UNREADABLE },
  'for a key that is not ours': {
    alter: async (xml) => withEncryptedAssertion(xml, (await makeSelfSigned('other', 1)).certPem),
    reason: UNREADABLE,
  },
  'of which a byte was changed': {
    alter: async (xml) =>
      (await encrypted(xml)).replace(/(.*<[\w:]*CipherValue>)([^<]+)/s, (_all, before, content) => {
        const bytes = Buffer.from(content, 'base64');
        bytes.writeUInt8(bytes.readUInt8(40) ^ 1, 40);
        return before + bytes.toString('base64');
      }),
    reason: UNREADABLE,
  },
  'that is none': {
    alter: (xml) => encrypted(xml.replace(assertionOf(xml), '<saml:Assertion><<</saml:Assertion>')),
    reason: UNREADABLE,
  },
  'whose signed part is wrapped in a forged one': {
    alter: (xml) => {
      const wrapped = forged(xml).replace('</saml:Assertion>', `${assertionOf(xml)}</saml:Assertion>`);
      return encrypted(xml.replace(assertionOf(xml), wrapped));
    },
    reason: UNREADABLE,
  },
  'beside a forged one that is not encrypted': {
    alter: async (xml) =>
      (await encrypted(xml)).replace('</samlp:Response>', `${forged(xml)}</samlp:Response>`),
    reason: 'one assertion, encrypted as a whole',
  },
  'beside a forged one that is encrypted too': {
    alter: async (xml) => {
      const other = encryptedOf(await encrypted(xml.replace(assertionOf(xml), forged(xml))));
      return (await encrypted(xml)).replace('<saml:EncryptedAssertion', `${other}<saml:EncryptedAssertion`);
    },
    reason: 'one assertion, encrypted as a whole',
  },
  'hidden where another reader finds it': {
    alter: async (xml) => {
      const other = encryptedOf(await encrypted(xml)).replace(/<\/?saml:EncryptedAssertion[^>]*>/g, '');
      return (await encrypted(xml)).replace('<saml:EncryptedAssertion', `${other}<saml:EncryptedAssertion`);
    },
    reason: 'one assertion, encrypted as a whole',
  },
  'whose key is encrypted with RSA 1.5': {
    alter: (xml) =>
      withEncryptedAssertion(xml, certificates.encryption, {
        keyEncryptionAlgorithm: 'http://www.w3.org/2001/04/xmlenc#rsa-1_5',
      }),
    reason: 'encrypted with http://www.w3.org/2001/04/xmlenc#rsa-1_5',
  },
  'encrypted with triple DES': {
    alter: (xml) =>
      withEncryptedAssertion(xml, certificates.encryption, {
        encryptionAlgorithm: 'http://www.w3.org/2001/04/xmlenc#tripledes-cbc',
      }),
    reason: 'encrypted with http://www.w3.org/2001/04/xmlenc#tripledes-cbc',
  },
  'with another mask than is known': {
    alter: async (xml) =>
      (
        await withEncryptedAssertion(xml, certificates.encryption, { ...OAEP, keyEncryptionMgf: 'sha512' })
      ).replace('#mgf1sha512', '#mgf1sha224'),
    reason: 'mgf1sha224. Set the mask generation function of the key transport at the provider to',
  },
  'for another audience': {
    changes: { audience: 'https://other.example' },
    reason: 'The audience of the assertion is https://other.example. Set',
  },
  'for another request': { changes: { inResponseTo: '_0123' }, reason: 'InResponseTo' },
};
test.each(Object.entries(refusals))('an encrypted assertion %s is refused', async (_name, of) => {
  expect(await signIn(of.alter ?? encrypted, of.changes)).toEqual({ token: null, error: 'refused' });
  expect((await provider())?.lastFailure).toContain(of.reason);
});
