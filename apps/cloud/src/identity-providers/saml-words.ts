import type { Document, Element } from '@xmldom/xmldom';
import { RefusedAnswer } from './person.ts';
import { unreadable } from './saml-encryption.ts';

const SIGNATURE = 'http://www.w3.org/2000/09/xmldsig#';

/** What the words need to know of an answer that the library refused. */
export interface RefusedWith {
  /** The answer around the assertion. Nothing in it is checked. */
  document: Document;
  isEncrypted: boolean;
  /** Certificates in the provider's metadata. */
  certificates: number;
}

/** What the library found wrong, in words for the administrator of the provider: what it is, and what to set. */
export function refused(error: unknown, of: RefusedWith): RefusedAnswer {
  const message = error instanceof Error ? error.message : String(error);
  // These are about an assertion whose signature was right, or about the answer around it.
  const isHarmless = /^SAML assertion |InResponseTo|subject confirmation/.test(message);
  if (of.isEncrypted && !isHarmless) return unreadable();
  return new RefusedAnswer(wordsOf(message, of));
}

function wordsOf(message: string, { document, certificates }: RefusedWith): string {
  const audience = /audience mismatch\. Expected: (.*) Received: (.*)/s.exec(message);
  if (audience)
    return `The audience of the assertion is ${audience[2]}. Set the audience (entity ID) at the provider to ${audience[1]}.`;
  if (/AudienceRestriction/.test(message))
    return 'The assertion names no audience. Set the audience at the provider to our entity ID.';
  if (/not yet valid/.test(message)) return `The assertion is not valid yet. ${clocks(document)}`;
  if (/assertion expired|No valid subject confirmation/.test(message))
    return `The assertion has expired. ${clocks(document)}`;
  if (/multiple assertions/.test(message))
    return 'The response has several assertions; it must have exactly one.';
  if (/Missing SAML assertion/.test(message)) return 'The response has no assertion.';
  if (/signature/i.test(message)) return signatureWords(document, certificates);
  return message;
}

function clocks(document: Document): string {
  const made = document.documentElement?.getAttribute('IssueInstant');
  const theirs = made ? `The clock of the provider says ${made}` : 'The provider does not tell its time';
  return `${theirs}, ours ${new Date().toISOString()}; they may differ by three minutes. Synchronise both with a time server (NTP).`;
}

function signatureWords(document: Document, certificates: number): string {
  const root = document.documentElement;
  const assertion = root && [...root.childNodes].find((one) => one.localName === 'Assertion');
  if (assertion && isSigned(assertion as Element))
    return `The signature of the assertion matches none of the signing certificates (${certificates}) in the provider's metadata, or the assertion was changed on its way. If the provider has another certificate now, save its metadata here again.`;
  const around =
    root && isSigned(root)
      ? 'Only the response is signed, not the assertion in it.'
      : 'The assertion is not signed.';
  return `${around} Let the provider sign assertions ("Sign assertions").`;
}

const isSigned = (element: Element): boolean =>
  [...element.childNodes].some((one) => one.localName === 'Signature' && one.namespaceURI === SIGNATURE);

/** What the provider said instead of naming somebody. */
export function statusWords(message: string): string {
  const [, kind = '', text = ''] = /returned (.*?) error: (.*)/s.exec(message) ?? [];
  const said = `The provider answered ${text || message}${kind ? ` (${kind})` : ''}.`;
  return /InvalidNameIDPolicy/.test(message)
    ? `${said} It has no rule that sends the email address as a NameID of the format emailAddress. Add one there.`
    : said;
}
