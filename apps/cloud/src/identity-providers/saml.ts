import type { KeyPairPem } from '@albedo/pki/key-files';
import { type Profile, SAML, SamlStatusError, ValidateInResponseTo } from '@node-saml/node-saml';
import { DOMParser, type Document } from '@xmldom/xmldom';
import type { SamlConfig } from './identity-providers.tables.ts';
import { emailIn, type Person, RefusedAnswer } from './person.ts';
import { decryptedAssertion, unreadable } from './saml-encryption.ts';

/** Clocks of identity providers may differ from ours by so much. */
export const CLOCK_SKEW_MS = 3 * 60_000;
const EMAIL_FORMAT = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';
const TRANSIENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';
const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol';
const ASSERTION = 'urn:oasis:names:tc:SAML:2.0:assertion';
const SIGNATURE = 'http://www.w3.org/2000/09/xmldsig#';
const ENCRYPTION = 'http://www.w3.org/2001/04/xmlenc#';
const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';

/** Everything stronger than SHA-1. Signatures of other kinds are refused before anything is checked. */
const ALGORITHMS = new Set([
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha384',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
  'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1',
  'http://www.w3.org/2001/04/xmlenc#sha256',
  'http://www.w3.org/2001/04/xmldsig-more#sha384',
  'http://www.w3.org/2001/04/xmlenc#sha512',
]);

/** This server towards the identity provider of one workgroup. */
export interface ServiceProvider {
  entityId: string;
  acsUrl: string;
  /** Signs requests. */
  signing: KeyPairPem;
  /** Opens assertions. */
  encryption: KeyPairPem;
}

/** A sign-in that waits for its answer. */
export interface PendingRequest {
  id: string;
  createdAt: Date;
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
  const saml = samlOf(own, nobody, { id: '_', createdAt: new Date() });
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
  const decrypted = await decryptedAssertion(document, own.encryption.keyPem);
  if (decrypted !== null) demandStrongInside(decrypted);
  const profile = await validated(samlOf(own, config, request), answer, decrypted !== null);
  const assertion = profile.getAssertion?.().Assertion as unknown as AssertionXml | undefined;
  if (!assertion) throw new RefusedAnswer('The answer has no assertion.');
  if (profile.issuer !== config.entityId)
    throw new RefusedAnswer(`The assertion was made by ${profile.issuer}, not by ${config.entityId}.`);
  const assertionId = assertion.$?.ID;
  if (!assertionId) throw new RefusedAnswer('The assertion has no ID.');
  if (!assertion.AuthnStatement)
    throw new RefusedAnswer('The assertion does not say that somebody signed in.');
  const expiresAt = confirmedUntil(assertion, own.acsUrl, request.id);
  return { person: personOf(profile), assertionId, expiresAt: new Date(expiresAt + CLOCK_SKEW_MS) };
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
  AuthnStatement?: unknown[];
  Subject?: {
    SubjectConfirmation?: {
      $?: { Method?: string };
      SubjectConfirmationData?: {
        $?: { Recipient?: string; InResponseTo?: string; NotOnOrAfter?: string; NotBefore?: string };
      }[];
    }[];
  }[];
}

function samlOf(own: ServiceProvider, config: SamlConfig, request: PendingRequest): SAML {
  return new SAML({
    callbackUrl: own.acsUrl,
    entryPoint: config.signOnUrl,
    issuer: own.entityId,
    audience: own.entityId,
    idpIssuer: config.entityId,
    idpCert: config.certificates,
    privateKey: own.signing.keyPem,
    publicCert: own.signing.certPem,
    decryptionPvk: own.encryption.keyPem,
    signatureAlgorithm: 'sha256',
    digestAlgorithm: 'sha256',
    wantAssertionsSigned: true,
    wantAuthnResponseSigned: false,
    identifierFormat: EMAIL_FORMAT,
    disableRequestedAuthnContext: true,
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
    demandStrongAlgorithms(parse(xml));
  } catch (error) {
    throw unreadable(error);
  }
}

function demandStrongAlgorithms(document: Document): void {
  for (const name of ['SignatureMethod', 'DigestMethod'])
    for (const method of document.getElementsByTagNameNS(SIGNATURE, name)) {
      // Part of how a key is encrypted, which is looked at there.
      if (method.parentNode?.namespaceURI === ENCRYPTION) continue;
      const algorithm = method.getAttribute('Algorithm') ?? 'nothing';
      if (!ALGORITHMS.has(algorithm))
        throw new RefusedAnswer(`It is signed with ${algorithm}; SHA-256 or stronger is needed.`);
    }
}

function parse(xml: string): Document {
  if (/<!DOCTYPE|<!ENTITY/i.test(xml)) throw new RefusedAnswer('The answer has a document type.');
  try {
    return new DOMParser({
      onError: (level, message) => {
        if (level !== 'warning') throw new Error(message);
      },
    }).parseFromString(xml, 'text/xml');
  } catch {
    throw new RefusedAnswer('The answer is not XML.');
  }
}

async function validated(saml: SAML, answer: string, isEncrypted: boolean): Promise<Profile> {
  try {
    const { profile } = await saml.validatePostResponseAsync({ SAMLResponse: answer });
    if (!profile) throw new RefusedAnswer('The answer names nobody.');
    return profile;
  } catch (error) {
    if (error instanceof RefusedAnswer) throw error;
    if (isEncrypted) throw unreadable(error);
    if (error instanceof SamlStatusError) throw new RefusedAnswer(error.message, 'cancelled');
    throw new RefusedAnswer(error instanceof Error ? error.message : String(error));
  }
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
  if (until === undefined)
    throw new RefusedAnswer(
      'The assertion is not confirmed for this address and this sign-in, or it has expired.',
    );
  return until;
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

function personOf(profile: Profile): Person {
  const attributes = (profile.attributes ?? {}) as Record<string, unknown>;
  const first = (name: string): unknown => {
    const value = attributes[name];
    return Array.isArray(value) ? value[0] : value;
  };
  const nameId = typeof profile.nameID === 'string' ? profile.nameID.trim() : '';
  const email = emailIn(nameId) ?? EMAIL_ATTRIBUTES.map((one) => emailIn(first(one))).find(Boolean) ?? null;
  const isLasting = nameId !== '' && profile.nameIDFormat !== TRANSIENT;
  const subject = isLasting ? (emailIn(nameId) ?? nameId) : email;
  if (!subject)
    throw new RefusedAnswer('The assertion names nobody: it has neither a lasting NameID nor an e-mail.');
  const name = NAME_ATTRIBUTES.map(first).find((one) => typeof one === 'string' && one.trim() !== '');
  return { subject, email, name: typeof name === 'string' ? name.trim().slice(0, 120) : null };
}
