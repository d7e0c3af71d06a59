import { createVerify, randomUUID, X509Certificate } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import type { KeyPairPem } from '@albedo/pki/key-files';
import { makeSelfSigned } from '@albedo/pki/self-signed';
import { SignedXml } from 'xml-crypto';
import { type EncryptOptions, encrypt } from 'xml-encryption';
import type { TestCloud } from './test-cloud.ts';

const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#';
const ENVELOPED = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature';
const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';
const SHA256 = 'http://www.w3.org/2001/04/xmlenc#sha256';

/** PEM of the certificates that the cloud's metadata tells every provider. */
export async function ownCertificates(
  { call }: Pick<TestCloud, 'call'>,
  workgroup = 'any',
): Promise<{ signing: string; encryption: string }> {
  const { body } = await call('GET', `auth/saml/metadata/${workgroup}`);
  const certificate = (use: string): string => {
    const [, base64 = ''] = new RegExp(`use="${use}".*?X509Certificate>([^<]+)<`, 's').exec(body) ?? [];
    return new X509Certificate(Buffer.from(base64, 'base64')).toString();
  };
  return { signing: certificate('signing'), encryption: certificate('encryption') };
}

/** What an assertion says; left out, it says what is right. */
export interface Claims {
  nameId: string;
  nameIdFormat: string;
  issuer: string;
  audience: string;
  recipient: string;
  inResponseTo: string;
  responseInResponseTo: string;
  assertionId: string;
  /** Epoch ms. */
  notBefore: number;
  notOnOrAfter: number;
  attributes: Record<string, string | string[]>;
  /** In place of the NameID, such as an encrypted one. */
  nameXml: string | null;
  /** How the holder of the assertion proves that it is theirs. */
  confirmation: string;
  /** It says that somebody signed in. */
  isSignIn: boolean;
  /** When they signed in at the provider, epoch ms. */
  authenticatedAt: number;
  signatureAlgorithm: string;
  digestAlgorithm: string;
  /** PEM of the key that signs; null for no signature. */
  signWith: string | null;
}

/** A sign-in that came to the provider. */
export interface IdpRequest {
  id: string;
  acsUrl: string;
  issuer: string;
  relayState: string;
  /** The provider must ask for the password again. */
  isForced: boolean;
}

/** A SAML identity provider in a few lines, honest unless told otherwise. */
export class SamlIdp {
  readonly entityId: string;
  readonly keys: KeyPairPem;

  constructor(entityId: string, keys: KeyPairPem) {
    this.entityId = entityId;
    this.keys = keys;
  }

  static async make(entityId = `https://idp.example/${randomUUID()}`): Promise<SamlIdp> {
    return new SamlIdp(entityId, await makeSelfSigned('idp.example', 1));
  }

  get metadata(): string {
    const certificate = new X509Certificate(this.keys.certPem).raw.toString('base64');
    return `<?xml version="1.0"?>
<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${this.entityId}">
  <md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
    <md:KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data>
      <ds:X509Certificate>${certificate}</ds:X509Certificate>
    </ds:X509Data></ds:KeyInfo></md:KeyDescriptor>
    <md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="https://idp.example/post"/>
    <md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://idp.example/sso"/>
  </md:IDPSSODescriptor>
</md:EntityDescriptor>`;
  }

  /** Opens the address that a browser was led to; throws unless it is signed with the service provider's key. */
  read(address: string, spCertificate: string): IdpRequest {
    const { searchParams, search } = new URL(address);
    const [signed = '', signature = ''] = search.slice(1).split('&Signature=');
    const verifier = createVerify('RSA-SHA256').update(signed);
    if (!verifier.verify(spCertificate, decodeURIComponent(signature), 'base64'))
      throw new Error('the request is not signed');
    const xml = inflateRawSync(Buffer.from(searchParams.get('SAMLRequest') ?? '', 'base64')).toString();
    const found = (pattern: RegExp) => pattern.exec(xml)?.[1] ?? '';
    return {
      id: found(/\bID="([^"]+)"/),
      acsUrl: found(/AssertionConsumerServiceURL="([^"]+)"/),
      issuer: found(/<saml:Issuer[^>]*>([^<]+)</),
      relayState: searchParams.get('RelayState') ?? '',
      isForced: found(/\bForceAuthn="([^"]+)"/) === 'true',
    };
  }

  /** XML of a response to the request, with one signed assertion. */
  respond(request: IdpRequest, changes: Partial<Claims> = {}): string {
    const says = this.#claims(request, changes);
    const assertion = sign(assertionXml(says), says);
    return `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_${randomUUID()}" Version="2.0" IssueInstant="${iso(Date.now())}" Destination="${says.recipient}" InResponseTo="${says.responseInResponseTo}"><saml:Issuer xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">${says.issuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>${assertion}</samlp:Response>`;
  }

  #claims(request: IdpRequest, changes: Partial<Claims>): Claims {
    return {
      nameId: 'zoe@example.org',
      nameIdFormat: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
      issuer: this.entityId,
      audience: request.issuer,
      recipient: request.acsUrl,
      inResponseTo: request.id,
      responseInResponseTo: changes.inResponseTo ?? request.id,
      assertionId: `_${randomUUID()}`,
      notBefore: Date.now() - 5000,
      notOnOrAfter: Date.now() + 300_000,
      attributes: { displayName: 'Zoë Müller' },
      nameXml: null,
      confirmation: 'urn:oasis:names:tc:SAML:2.0:cm:bearer',
      isSignIn: true,
      authenticatedAt: Date.now(),
      signatureAlgorithm: RSA_SHA256,
      digestAlgorithm: SHA256,
      signWith: this.keys.keyPem,
      ...changes,
    };
  }
}

/** The response with its assertion encrypted for the holder of the certificate, as directories do unless told otherwise. */
export async function withEncryptedAssertion(
  response: string,
  certPem: string,
  how: Partial<Encryption> = {},
): Promise<string> {
  const [assertion = ''] = /<saml:Assertion.*<\/saml:Assertion>/s.exec(response) ?? [];
  const data = await encryptedData(assertion, certPem, how);
  const encrypted = `<saml:EncryptedAssertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">${data}</saml:EncryptedAssertion>`;
  return response.replace(assertion, () => encrypted);
}

/** The name encrypted for the holder of the certificate, to stand in an assertion. */
export async function encryptedName(
  nameId: string,
  certPem: string,
  how: Partial<Encryption> = {},
): Promise<string> {
  const format = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';
  const data = await encryptedData(nameIdXml({ nameId, nameIdFormat: format }), certPem, how);
  return `<saml:EncryptedID>${data}</saml:EncryptedID>`;
}

/** What the library takes, more than its types know. */
export interface Encryption extends Omit<EncryptOptions, 'keyEncryptionAlgorithm'> {
  keyEncryptionAlgorithm: string;
  keyEncryptionDigest?: 'sha1' | 'sha256' | 'sha512';
  keyEncryptionMgf?: 'sha1' | 'sha256' | 'sha384' | 'sha512';
}

function encryptedData(text: string, certPem: string, how: Partial<Encryption>): Promise<string> {
  const options: Encryption = {
    rsa_pub: new X509Certificate(certPem).publicKey.export({ type: 'spki', format: 'pem' }),
    pem: certPem,
    encryptionAlgorithm: 'http://www.w3.org/2001/04/xmlenc#aes256-cbc',
    keyEncryptionAlgorithm: 'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p',
    warnInsecureAlgorithm: false,
    disallowEncryptionWithInsecureAlgorithm: false,
    ...how,
  };
  return new Promise((resolve, reject) =>
    encrypt(text, options as EncryptOptions, (error, xml) => (error ? reject(error) : resolve(xml))),
  );
}

export const encoded = (xml: string): string => Buffer.from(xml).toString('base64');

const iso = (at: number): string => new Date(at).toISOString();

const nameIdXml = ({ nameIdFormat, nameId }: Pick<Claims, 'nameIdFormat' | 'nameId'>): string =>
  `<saml:NameID xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" Format="${nameIdFormat}">${nameId}</saml:NameID>`;
const valueXml = (value: string): string => `<saml:AttributeValue>${value}</saml:AttributeValue>`;

const authnXml = (at: number) =>
  `<saml:AuthnStatement AuthnInstant="${iso(at)}"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:unspecified</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>`;

function assertionXml(says: Claims): string {
  const attributes = Object.entries(says.attributes).map(
    ([name, value]) =>
      `<saml:Attribute Name="${name}">${[value].flat().map(valueXml).join('')}</saml:Attribute>`,
  );
  return `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${says.assertionId}" Version="2.0" IssueInstant="${iso(Date.now())}"><saml:Issuer>${says.issuer}</saml:Issuer><saml:Subject>${says.nameXml ?? nameIdXml(says)}<saml:SubjectConfirmation Method="${says.confirmation}"><saml:SubjectConfirmationData Recipient="${says.recipient}" NotOnOrAfter="${iso(says.notOnOrAfter)}"${says.inResponseTo ? ` InResponseTo="${says.inResponseTo}"` : ''}/></saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="${iso(says.notBefore)}" NotOnOrAfter="${iso(says.notOnOrAfter)}"><saml:AudienceRestriction><saml:Audience>${says.audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions>${says.isSignIn ? authnXml(says.authenticatedAt) : ''}<saml:AttributeStatement>${attributes.join('')}</saml:AttributeStatement></saml:Assertion>`;
}

function sign(xml: string, { signWith, signatureAlgorithm, digestAlgorithm }: Claims): string {
  if (signWith === null) return xml;
  const signer = new SignedXml({
    privateKey: signWith,
    signatureAlgorithm,
    canonicalizationAlgorithm: EXCLUSIVE,
  });
  signer.addReference({
    xpath: "//*[local-name(.)='Assertion']",
    digestAlgorithm,
    transforms: [ENVELOPED, EXCLUSIVE],
  });
  const location = { reference: "//*[local-name(.)='Issuer']", action: 'after' } as const;
  signer.computeSignature(xml, { location });
  return signer.getSignedXml();
}
