import { createHash, randomBytes } from 'node:crypto';

/** A secret for the link of an e-mail, and what is kept of it. */
export function makeLinkToken(): { token: string; tokenHash: string } {
  const token = randomBytes(32).toString('base64url');
  return { token, tokenHash: hashOf(token) };
}

/** SHA-256; enough for secrets that nobody can guess. */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');
