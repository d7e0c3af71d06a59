/** Clocks of identity providers may differ from ours by so much. */
export const CLOCK_SKEW_MS = 3 * 60_000;

/** Whom an identity provider named. */
export interface Person {
  /** The provider's own name for the person. */
  subject: string;
  /** Small letters, the one that counts first; none where the provider told none. */
  emails: string[];
  name: string | null;
  /** When they last proved to the provider who they are; null where it does not say. */
  authenticatedAt: Date | null;
  /** The provider encrypted the subject: it stands in no sentence, because a key that many share opened it. */
  isHidden?: boolean;
}

/** An answer of a provider that was not accepted; the message says why, for people who manage access. */
export class RefusedAnswer extends Error {
  readonly failure: 'refused' | 'cancelled';

  constructor(message: string, failure: 'refused' | 'cancelled' = 'refused') {
    super(message);
    this.failure = failure;
  }
}

/** The text as an e-mail address in small letters; null where it is none. */
export function emailIn(text: unknown): string | null {
  const given = typeof text === 'string' ? text.trim() : '';
  // Some other letters become plain ones when they are made small, and with them somebody else's address.
  const address = /^[\x21-\x7e]*$/.test(given) ? given.toLowerCase() : '';
  return address.length <= 254 && /^[^@\s<>"]+@[^@\s<>"]+\.?[^@\s<>"]*$/.test(address) ? address : null;
}
