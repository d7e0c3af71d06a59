import { X509Certificate } from 'node:crypto';
import type { SignInSettings } from '@albedo/contract/identity-providers/identity-providers.schema';
import { makeSelfSigned } from '@albedo/pki/self-signed';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Claims, encoded, SamlIdp, withEncryptedAssertion } from '../testing/saml-idp.ts';
import { SsoBrowser, type SsoOutcome } from '../testing/sso-browser.ts';
import { startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

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
  const { body: metadata } = await cloud.call('GET', `auth/saml/metadata/${WG}`);
  certificates = {
    signing: certificateIn(metadata, 'signing'),
    encryption: certificateIn(metadata, 'encryption'),
  };
});
afterAll(() => cloud.stop());

function certificateIn(metadata: string, use: string): string {
  const pattern = new RegExp(`use="${use}".*?X509Certificate>([^<]+)<`, 's');
  const [, base64 = ''] = pattern.exec(metadata) ?? [];
  return new X509Certificate(Buffer.from(base64, 'base64')).toString();
}

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

test.each([
  'http://www.w3.org/2001/04/xmlenc#aes128-cbc',
  'http://www.w3.org/2001/04/xmlenc#aes256-cbc',
  'http://www.w3.org/2009/xmlenc11#aes128-gcm',
  'http://www.w3.org/2009/xmlenc11#aes256-gcm',
] as const)(
  'an assertion that was signed and then encrypted with %s signs in',
  async (encryptionAlgorithm) => {
    const { token } = await signIn((xml) =>
      withEncryptedAssertion(xml, certificates.encryption, { encryptionAlgorithm }),
    );
    expect(decodeJwt(token ?? '')).toMatchObject({ email: EMAIL, memberOf: [WG] });
  },
);

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
    reason: 'one assertion, encrypted as one',
  },
  'beside a forged one that is encrypted too': {
    alter: async (xml) => {
      const other = encryptedOf(await encrypted(xml.replace(assertionOf(xml), forged(xml))));
      return (await encrypted(xml)).replace('<saml:EncryptedAssertion', `${other}<saml:EncryptedAssertion`);
    },
    reason: 'one assertion, encrypted as one',
  },
  'hidden where another reader finds it': {
    alter: async (xml) => {
      const other = encryptedOf(await encrypted(xml)).replace(/<\/?saml:EncryptedAssertion[^>]*>/g, '');
      return (await encrypted(xml)).replace('<saml:EncryptedAssertion', `${other}<saml:EncryptedAssertion`);
    },
    reason: 'one assertion, encrypted as one',
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
  'for another audience': { changes: { audience: 'https://other.example' }, reason: 'audience mismatch' },
  'for another request': { changes: { inResponseTo: '_0123' }, reason: 'InResponseTo' },
};
test.each(Object.entries(refusals))('an encrypted assertion %s is refused', async (_name, of) => {
  expect(await signIn(of.alter ?? encrypted, of.changes)).toEqual({ token: null, error: 'refused' });
  expect((await provider())?.lastFailure).toContain(of.reason);
});
