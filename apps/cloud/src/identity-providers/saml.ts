import type { KeyPairPem } from '@albedo/pki/key-files';
import { type Profile, SAML, SamlStatusError, ValidateInResponseTo } from '@node-saml/node-saml';
import { DOMParser, type Document } from '@xmldom/xmldom';
import type { SamlConfig } from '../database/identity-providers.tables.ts';
import type { SsoPair } from '../secrets/sso-pairs.ts';
import { CLOCK_SKEW_MS, emailIn, type Person, RefusedAnswer } from './person.ts';
import { type HiddenName, hiddenName, unreadable, withPlainAssertion } from './saml-encryption.ts';
import { type RefusedWith, refused, statusWords } from './saml-words.ts';

const EMAIL_FORMAT = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';
const TRANSIENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';
const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol';
const ASSERTION = 'urn:oasis:names:tc:SAML:2.0:assertion';
const SIGNATURE = 'http://www.w3.org/2000/09/xmldsig#';
const ENCRYPTION = 'http://www.w3.org/2001/04/xmlenc#';
const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';

/** Everything stronger than SHA-1 that the library knows. Others are refused before anything is checked. */
const ALGORITHMS = {
  SignatureMethod: [
    'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
    'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1',
  ],
  DigestMethod: ['http://www.w3.org/2001/04/xmlenc#sha256', 'http://www.w3.org/2001/04/xmlenc#sha512'],
} as const;
const SIGN_SO = 'Set the signature algorithm at the provider to RSA-SHA256 or RSA-SHA512, with an RSA key.';

/** This server towards the identity provider of one workgroup. */
export interface ServiceProvider {
  entityId: string;
  acsUrl: string;
  /** Signs requests. */
  signing: KeyPairPem;
  /** Opens assertions. */
  encryption: SsoPair;
  /** Providers may encrypt with what is older than AES-256-GCM and SHA-2. */
  oldCiphers: boolean;
}

/** A sign-in that waits for its answer. */
export interface PendingRequest {
  id: string;
  createdAt: Date;
  /** `jti` of the session that it confirms: the provider must ask anew who is there. */
  confirms?: string | null;
}

export interface AcceptedAssertion {
  person: Person;
  assertionId: string;
  /** After this instant the assertion is expired anyway. */
  expiresAt: Date;
}

/** Where the browser goes: the provider's address with a signed request in it. */
export function samlRequestUrl(
  own: ServiceProvider,
  config: SamlConfig,
  request: PendingRequest,
): Promise<string> {
  return samlOf(own, config, request).getAuthorizeUrlAsync(request.id, undefined, {});
}

export function samlMetadata(own: ServiceProvider): string {
  const { acsUrl: signOnUrl } = own;
  const { certPem } = own.signing;
  const nobody: SamlConfig = {
    kind: 'saml',
    entityId: '',
    signOnUrl,
    certificates: [certPem],
    metadataUrl: null,
  };
  const { keyPem: decryptionPvk } = own.encryption;
  const saml = samlOf(own, nobody, { id: '_', createdAt: new Date() }, { decryptionPvk });
  return saml.generateServiceProviderMetadata(own.encryption.certPem, certPem);
}

/**
 * Checks the answer to a request. What the library does not check is checked here, on the signed assertion alone: who
 * made it, for which address and request, its identifier, and with what it was signed. An assertion that was encrypted has
 * to be signed inside, like any other.
 *
 * Throws `RefusedAnswer`.
 */
export async function acceptSamlAnswer(
  own: ServiceProvider,
  config: SamlConfig,
  request: PendingRequest,
  answer: string,
): Promise<AcceptedAssertion> {
  const document = parse(Buffer.from(answer, 'base64').toString('utf8'));
  demandStrongAlgorithms(document);
  const { keyPem, keyPemBefore } = own.encryption;
  const keys = [keyPem, ...(keyPemBefore ? [keyPemBefore] : [])];
  const opening = { keys, oldCiphers: own.oldCiphers };
  const plain = await withPlainAssertion(document, opening);
  if (plain !== null) demandStrongInside(plain);
  const given = plain === null ? answer : Buffer.from(plain).toString('base64');
  const profile = await validated(samlOf(own, config, request), given, {
    document,
    isEncrypted: plain !== null,
    certificates: config.certificates.length,
  });
  const assertion = profile.getAssertion?.().Assertion as unknown as AssertionXml | undefined;
  if (!assertion) throw new RefusedAnswer('The response has no assertion.');
  if (profile.issuer !== config.entityId)
    throw new RefusedAnswer(
      `The assertion was made by ${profile.issuer}, not by ${config.entityId}. Save the metadata of that provider here.`,
    );
  const assertionId = assertion.$?.ID;
  if (!assertionId) throw new RefusedAnswer('The assertion has no ID.');
  if (!assertion.AuthnStatement)
    throw new RefusedAnswer('The assertion does not say that anybody signed in (it has no AuthnStatement).');
  const expiresAt = confirmedUntil(assertion, own.acsUrl, request.id);
  const hidden = await hiddenName(profile.getAssertionXml?.() ?? '', opening);
  const person = { ...personOf(profile, hidden), authenticatedAt: instantIn(assertion.AuthnStatement) };
  return { person, assertionId, expiresAt: new Date(expiresAt + CLOCK_SKEW_MS) };
}

/**
 * Who made an answer that is for no request, and for whom; null for all others. Nothing of it is checked: it may only
 * say whom to ask.
 */
export function unsolicitedHint(answer: string): { issuer: string; audiences: string[] } | null {
  const root = parsedOrNull(Buffer.from(answer, 'base64').toString('utf8'))?.documentElement;
  if (root?.localName !== 'Response' || root.namespaceURI !== PROTOCOL || root.getAttribute('InResponseTo'))
    return null;
  const texts = (name: string) =>
    [...root.getElementsByTagNameNS(ASSERTION, name)].map((one) => (one.textContent ?? '').trim());
  const [issuer] = texts('Issuer');
  return issuer ? { issuer, audiences: texts('Audience') } : null;
}

function parsedOrNull(xml: string): Document | null {
  try {
    return parse(xml);
  } catch {
    return null;
  }
}

/** The parts of the signed assertion that are looked at, as xml2js gives them. */
interface AssertionXml {
  $?: { ID?: string };
  AuthnStatement?: { $?: { AuthnInstant?: string } }[];
  Subject?: {
    SubjectConfirmation?: {
      $?: { Method?: string };
      SubjectConfirmationData?: {
        $?: { Recipient?: string; InResponseTo?: string; NotOnOrAfter?: string; NotBefore?: string };
      }[];
    }[];
  }[];
}

function samlOf(
  own: ServiceProvider,
  config: SamlConfig,
  request: PendingRequest,
  more: { decryptionPvk?: string } = {},
): SAML {
  return new SAML({
    callbackUrl: own.acsUrl,
    entryPoint: config.signOnUrl,
    issuer: own.entityId,
    audience: own.entityId,
    idpIssuer: config.entityId,
    idpCert: config.certificates,
    privateKey: own.signing.keyPem,
    publicCert: own.signing.certPem,
    ...more,
    signatureAlgorithm: 'sha256',
    digestAlgorithm: 'sha256',
    wantAssertionsSigned: true,
    wantAuthnResponseSigned: false,
    identifierFormat: EMAIL_FORMAT,
    disableRequestedAuthnContext: true,
    forceAuthn: (request.confirms ?? null) !== null,
    acceptedClockSkewMs: CLOCK_SKEW_MS,
    validateInResponseTo: ValidateInResponseTo.always,
    generateUniqueId: () => request.id,
    // The request was taken out of the database before; it is the only one that this answer may be for.
    cacheProvider: {
      saveAsync: async (key, value) => ({ value, createdAt: Number(key === request.id) }),
      getAsync: async (key) => (key === request.id ? request.createdAt.toISOString() : null),
      removeAsync: async (key) => key,
    },
  });
}

function demandStrongInside(xml: string): void {
  try {
    const document = parse(xml);
    demandStrongAlgorithms(document);
    const [assertion, ...others] = document.getElementsByTagNameNS('*', 'Assertion');
    if (assertion && others.length === 0) return;
  } catch {
    // The sentence below is for all of them.
  }
  throw unreadable();
}

function demandStrongAlgorithms(document: Document): void {
  for (const name of ['SignatureMethod', 'DigestMethod'] as const)
    for (const method of document.getElementsByTagNameNS(SIGNATURE, name)) {
      // Part of how a key is encrypted, which is looked at there.
      if (method.parentNode?.namespaceURI === ENCRYPTION) continue;
      const algorithm = method.getAttribute('Algorithm') ?? 'nothing';
      const isGood = ALGORITHMS[name].some((one) => one === algorithm);
      if (!isGood && name === 'SignatureMethod')
        throw new RefusedAnswer(`It is signed with ${algorithm}. ${SIGN_SO}`);
      if (!isGood)
        throw new RefusedAnswer(
          `The digest of its signature is ${algorithm}. Set the digest algorithm at the provider to SHA-256 or SHA-512.`,
        );
    }
}

function parse(xml: string): Document {
  if (/<!DOCTYPE|<!ENTITY/i.test(xml))
    throw new RefusedAnswer('The response has a document type declaration, which is not accepted.');
  try {
    return new DOMParser({
      onError: (level, message) => {
        if (level !== 'warning') throw new Error(message);
      },
    }).parseFromString(xml, 'text/xml');
  } catch {
    throw new RefusedAnswer('The response is not XML.');
  }
}

async function validated(saml: SAML, answer: string, of: RefusedWith): Promise<Profile> {
  try {
    const { profile } = await saml.validatePostResponseAsync({ SAMLResponse: answer });
    if (!profile) throw new RefusedAnswer('The response names nobody.');
    return profile;
  } catch (error) {
    if (error instanceof RefusedAnswer) throw error;
    if (error instanceof SamlStatusError && !of.isEncrypted)
      throw new RefusedAnswer(statusWords(error.message), 'cancelled');
    throw refused(error, of);
  }
}

/** Of several statements the latest one; null where none has a time. */
function instantIn(statements: NonNullable<AssertionXml['AuthnStatement']>): Date | null {
  const instants = statements.map(({ $ }) => Date.parse($?.AuthnInstant ?? '')).filter(Number.isFinite);
  return instants.length > 0 ? new Date(Math.max(...instants)) : null;
}

/** Until when the assertion is confirmed for this address and request, epoch ms. */
function confirmedUntil(assertion: AssertionXml, acsUrl: string, requestId: string): number {
  const confirmations = assertion.Subject?.[0]?.SubjectConfirmation ?? [];
  const untils = confirmations.flatMap(({ $, SubjectConfirmationData }) => {
    const data = SubjectConfirmationData?.[0]?.$;
    if ($?.Method !== BEARER || data?.Recipient !== acsUrl || data.InResponseTo !== requestId) return [];
    const until = Date.parse(data.NotOnOrAfter ?? '');
    return until + CLOCK_SKEW_MS > Date.now() ? [until] : [];
  });
  const [until] = untils;
  if (until !== undefined) return until;
  const recipients = confirmations.flatMap(({ SubjectConfirmationData }) => {
    const recipient = SubjectConfirmationData?.[0]?.$?.Recipient;
    return recipient === undefined || recipient === acsUrl ? [] : [recipient];
  });
  throw new RefusedAnswer(
    recipients.length > 0
      ? `The assertion is for the address ${recipients.join(', ')}. Set the reply address (ACS) at the provider to ${acsUrl}.`
      : 'The assertion is not confirmed for this sign-in (InResponseTo), or it has expired. Start again; if that does not help, check how long the provider makes assertions valid.',
  );
}

const EMAIL_ATTRIBUTES = [
  'email',
  'mail',
  'emailAddress',
  'urn:oid:0.9.2342.19200300.100.1.3',
  'urn:oid:1.2.840.113549.1.9.1',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/name',
];
const NAME_ATTRIBUTES = [
  'displayName',
  'urn:oid:2.16.840.1.113730.3.1.241',
  'http://schemas.microsoft.com/identity/claims/displayname',
  'cn',
  'urn:oid:2.5.4.3',
  'name',
];

function personOf(profile: Profile, hidden: HiddenName | null): Omit<Person, 'authenticatedAt'> {
  const attributes = (profile.attributes ?? {}) as Record<string, unknown>;
  const all = (name: string): unknown[] => {
    const value = attributes[name];
    return Array.isArray(value) ? value : [value];
  };
  const named = hidden?.value ?? (typeof profile.nameID === 'string' ? profile.nameID.trim() : '');
  const format = hidden ? hidden.format : profile.nameIDFormat;
  const told = [named, ...EMAIL_ATTRIBUTES.flatMap(all)].map(emailIn);
  const emails = [...new Set(told.filter((one) => one !== null))];
  const isLasting = named !== '' && format !== TRANSIENT;
  const subject = isLasting ? (emailIn(named) ?? named) : emails[0];
  if (!subject)
    throw new RefusedAnswer(
      'The assertion names nobody: it has neither a lasting NameID nor an email address. Let the provider send the email address as NameID.',
    );
  const name = NAME_ATTRIBUTES.flatMap(all).find((one) => typeof one === 'string' && one.trim() !== '');
  const isHidden = hidden !== null;
  return { subject, emails, name: typeof name === 'string' ? name.trim().slice(0, 120) : null, isHidden };
}
