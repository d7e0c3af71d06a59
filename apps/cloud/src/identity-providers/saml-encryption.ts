import { type Document, type Element, XMLSerializer } from '@xmldom/xmldom';
import { decrypt } from 'xml-encryption';
import { RefusedAnswer } from './person.ts';

/** Only the library's own are there; RSA 1.5 and triple DES would let others try our key out. */
const CONTENT = [
  'http://www.w3.org/2009/xmlenc11#aes256-gcm',
  'http://www.w3.org/2009/xmlenc11#aes128-gcm',
  'http://www.w3.org/2001/04/xmlenc#aes256-cbc',
  'http://www.w3.org/2001/04/xmlenc#aes128-cbc',
];
const KEY = 'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p';
const KEY_DIGEST = 'http://www.w3.org/2000/09/xmldsig#sha1';

/**
 * One sentence for everything that can be wrong with what an encrypted assertion holds. Several ones would tell whoever
 * changes it byte by byte what it says (How to Break XML Encryption, 2011).
 */
const UNREADABLE =
  'The encrypted assertion cannot be opened with the key of the certificate in our metadata, or what is in it is not an ' +
  'assertion that the provider signed with SHA-256 or stronger.';

/** What is said instead of `error` where it came from inside an encrypted assertion. */
export function unreadable(error: unknown): RefusedAnswer {
  const message = error instanceof Error ? error.message : String(error);
  // These are about an assertion whose signature was right, or about the answer around it.
  const isHarmless = /^SAML assertion |InResponseTo|subject confirmation/.test(message);
  return new RefusedAnswer(isHarmless ? message : UNREADABLE);
}

/**
 * XML of the assertion that the answer has encrypted; null where none is. There is at most one, and no second place where
 * another reader could find its key or its content. Throws `RefusedAnswer`.
 */
export async function decryptedAssertion(document: Document, keyPem: string): Promise<string | null> {
  const named = (name: string) => [...document.getElementsByTagNameNS('*', name)];
  const [assertion, ...others] = named('EncryptedAssertion');
  const parts = ['EncryptedData', 'EncryptedKey', 'CipherValue'].map((name) => named(name).length);
  if (!assertion && parts.every((count) => count === 0)) return null;
  if (!assertion || others.length > 0 || parts.join() !== '1,1,2' || named('Assertion').length > 0)
    throw new RefusedAnswer('The answer must have one assertion, encrypted as one, with one key.');
  demandAlgorithms(assertion);
  const xml = new XMLSerializer().serializeToString(assertion);
  return new Promise((resolve, reject) => {
    const options = { key: keyPem, disallowDecryptionWithInsecureAlgorithm: true };
    decrypt(xml, options, (error, text) => (error ? reject(unreadable(error)) : resolve(text)));
  });
}

function demandAlgorithms(assertion: Element): void {
  for (const method of assertion.getElementsByTagNameNS('*', 'EncryptionMethod')) {
    const allowed = method.parentNode?.localName === 'EncryptedKey' ? [KEY] : CONTENT;
    demand(method, allowed);
    for (const digest of method.getElementsByTagNameNS('*', 'DigestMethod')) demand(digest, [KEY_DIGEST]);
  }
}

function demand(method: Element, allowed: string[]): void {
  const algorithm = method.getAttribute('Algorithm') ?? 'nothing';
  if (!allowed.includes(algorithm))
    throw new RefusedAnswer(`It is encrypted with ${algorithm}; this is understood: ${allowed.join(', ')}.`);
}
