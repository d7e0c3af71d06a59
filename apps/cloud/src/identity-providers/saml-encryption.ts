import { randomUUID } from 'node:crypto';
import { DOMParser, type Document, type Element, XMLSerializer } from '@xmldom/xmldom';
import { decrypt } from 'xml-encryption';
import { RefusedAnswer } from './person.ts';

const XMLENC = 'http://www.w3.org/2001/04/xmlenc#';
const XMLENC11 = 'http://www.w3.org/2009/xmlenc11#';

/** Only these are there; RSA 1.5 and triple DES would let others try our key out. */
const GCM = [`${XMLENC11}aes256-gcm`, `${XMLENC11}aes128-gcm`];
const CONTENT = [...GCM, `${XMLENC}aes256-cbc`, `${XMLENC}aes128-cbc`];
const KEY = [`${XMLENC11}rsa-oaep`, `${XMLENC}rsa-oaep-mgf1p`];
const KEY_DIGEST = [`${XMLENC}sha256`, `${XMLENC}sha512`, 'http://www.w3.org/2000/09/xmldsig#sha1'];
const KEY_MASK = ['sha1', 'sha256', 'sha384', 'sha512'].map((hash) => `${XMLENC11}mgf1${hash}`);
/** What is left without CBC, SHA-1 and 128 bits. */
const APPROVED = { content: `${XMLENC11}aes256-gcm`, key: `${XMLENC11}rsa-oaep` };

/** With what an answer is opened. */
export interface Opening {
  /** PEM; the newest first. */
  keys: readonly string[];
  /** CBC, SHA-1 and 128 bits are taken, which many providers have set. */
  oldCiphers: boolean;
}

/**
 * One sentence for everything that can be wrong with what an encrypted assertion holds. Several ones would tell whoever
 * changes it byte by byte what it says (How to Break XML Encryption, 2011).
 */
const UNREADABLE =
  'The encrypted assertion cannot be opened with the key of the certificate in our metadata, or what is in it is not an ' +
  'assertion that the provider signed with SHA-256 or stronger. Give the provider our metadata again, and let it sign ' +
  'assertions with RSA-SHA256.';

const UNREADABLE_NAME =
  'The encrypted name (EncryptedID) cannot be opened with the key of the certificate in our metadata, or what is in it ' +
  'is no NameID. Give the provider our metadata again.';

export const unreadable = (): RefusedAnswer => new RefusedAnswer(UNREADABLE);

/**
 * XML of the answer with the assertion that it has encrypted in its place, as if it had come plain; null where none is.
 * There is at most one, and no second place where another reader could find its key or its content. Throws
 * `RefusedAnswer`.
 */
export async function withPlainAssertion(document: Document, opening: Opening): Promise<string | null> {
  const named = (name: string) => [...document.getElementsByTagNameNS('*', name)];
  const [assertion, ...others] = named('EncryptedAssertion');
  if (!assertion) return null;
  if (others.length > 0 || !isOneOfAll(assertion, document) || named('Assertion').length > 0)
    throw new RefusedAnswer('The response must contain one assertion, encrypted as a whole, with one key.');
  demandAlgorithms(assertion, CONTENT, opening);
  const text = await openedByOne(assertion, opening.keys).catch(() => {
    throw unreadable();
  });
  // The text stays letter by letter what the provider signed, so no parser of ours comes in between.
  const place = `<!--${randomUUID()}-->`;
  assertion.parentNode?.replaceChild(document.createComment(place.slice(4, -3)), assertion);
  const xml = new XMLSerializer().serializeToString(document);
  return xml.replace(place, () => text.replace(/^\s*<\?xml[^>]*\?>/, ''));
}

/** The NameID that an assertion has encrypted. */
export interface HiddenName {
  value: string;
  format: string | null;
}

/**
 * The name in an assertion whose signature was right; null where it is not encrypted. Whoever signs an assertion may put
 * anything there, also what others were sent for the same key, changed byte by byte: so only ciphers that notice a change
 * are opened. Throws `RefusedAnswer`.
 */
export async function hiddenName(assertionXml: string, opening: Opening): Promise<HiddenName | null> {
  const document = new DOMParser().parseFromString(assertionXml, 'text/xml');
  const [name] = document.getElementsByTagNameNS('*', 'EncryptedID');
  if (name?.parentNode?.localName !== 'Subject') return null;
  if (!isOneOf(name)) throw new RefusedAnswer(UNREADABLE_NAME);
  demandAlgorithms(name, GCM, opening);
  try {
    const root = new DOMParser().parseFromString(
      await openedByOne(name, opening.keys),
      'text/xml',
    ).documentElement;
    const value = root?.localName === 'NameID' ? (root.textContent ?? '').trim() : '';
    if (value !== '') return { value, format: root?.getAttribute('Format') ?? null };
  } catch {
    // The sentence below is for all of them.
  }
  throw new RefusedAnswer(UNREADABLE_NAME);
}

const PARTS = ['EncryptedData', 'EncryptedKey', 'CipherValue'] as const;
const count = (of: Element | Document): string =>
  PARTS.map((name) => of.getElementsByTagNameNS('*', name).length).join();
const isOneOf = (element: Element): boolean => count(element) === '1,1,2';
const isOneOfAll = (element: Element, document: Document): boolean =>
  isOneOf(element) && count(document) === count(element);

/** With the first of our keys (PEM) that opens it. Throws when none does. */
async function openedByOne(element: Element, [key = '', ...others]: readonly string[]): Promise<string> {
  try {
    return await opened(element, key);
  } catch (error) {
    if (others.length === 0) throw error;
    return openedByOne(element, others);
  }
}

/** What is in the one `EncryptedData`, wherever its key stands: inside of it or beside it. */
async function opened(element: Element, keyPem: string): Promise<string> {
  const [data] = element.getElementsByTagNameNS('*', 'EncryptedData');
  const [key] = element.getElementsByTagNameNS('*', 'EncryptedKey');
  const xml = `<EncryptedData xmlns="${XMLENC}">${methodOf(data)}<KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><EncryptedKey xmlns="${XMLENC}">${methodOf(key)}${cipherOf(key)}</EncryptedKey></KeyInfo>${cipherOf(data)}</EncryptedData>`;
  return new Promise((resolve, reject) => {
    // Which algorithms are good is decided above.
    const options = {
      key: keyPem,
      disallowDecryptionWithInsecureAlgorithm: false,
      warnInsecureAlgorithm: false,
    };
    decrypt(xml, options, (error, text) => (error ? reject(error) : resolve(text)));
  });
}

const childOf = (element: Element | undefined, name: string): Element | undefined =>
  [...(element?.childNodes ?? [])].find((one): one is Element => one.localName === name);

function methodOf(element: Element | undefined): string {
  const method = childOf(element, 'EncryptionMethod');
  if (!method) throw new Error('there is no EncryptionMethod');
  return new XMLSerializer().serializeToString(method);
}

function cipherOf(element: Element | undefined): string {
  const value = childOf(childOf(element, 'CipherData'), 'CipherValue')?.textContent ?? '';
  return `<CipherData><CipherValue>${value.replace(/[^A-Za-z0-9+/=]/g, '')}</CipherValue></CipherData>`;
}

function demandAlgorithms(element: Element, content: string[], { oldCiphers }: Opening): void {
  if (!oldCiphers) demandApproved(element);
  for (const method of element.getElementsByTagNameNS('*', 'EncryptionMethod')) {
    const isOfKey = method.parentNode?.localName === 'EncryptedKey';
    if (isOfKey) demand(method, KEY, 'key transport algorithm');
    else demand(method, content, 'encryption algorithm');
    for (const one of method.getElementsByTagNameNS('*', 'DigestMethod'))
      demand(one, KEY_DIGEST, 'digest of the key transport');
    for (const one of method.getElementsByTagNameNS('*', 'MGF'))
      demand(one, KEY_MASK, 'mask generation function of the key transport');
  }
}

/** As the operator asks: AES-256-GCM, and a key that travels with SHA-2 alone, which has to be said, since SHA-1 is meant otherwise. */
function demandApproved(element: Element): void {
  for (const method of element.getElementsByTagNameNS('*', 'EncryptionMethod')) {
    const isOfKey = method.parentNode?.localName === 'EncryptedKey';
    demand(
      method,
      [isOfKey ? APPROVED.key : APPROVED.content],
      isOfKey ? 'key transport algorithm' : 'encryption algorithm',
    );
    if (!isOfKey) continue;
    for (const [name, what] of [
      ['DigestMethod', 'digest'],
      ['MGF', 'mask generation function'],
    ] as const) {
      const [one] = method.getElementsByTagNameNS('*', name);
      if (!one || /sha1$/i.test(one.getAttribute('Algorithm') ?? ''))
        throw new RefusedAnswer(
          `The ${what} of its key transport is SHA-1. Set it at the provider to SHA-256; the operator of this server takes nothing weaker.`,
        );
    }
  }
}

function demand(method: Element, allowed: string[], what: string): void {
  const algorithm = method.getAttribute('Algorithm') ?? 'nothing';
  if (!allowed.includes(algorithm))
    throw new RefusedAnswer(
      `It is encrypted with ${algorithm}. Set the ${what} at the provider to one of these: ${allowed.map(shortOf).join(', ')}.`,
    );
}

/** Such as `aes256-gcm`; providers call them so. */
const shortOf = (algorithm: string): string => algorithm.slice(algorithm.indexOf('#') + 1);
