import { ApiError } from '../../app/call.ts';
import type { TokenKind } from '../../app/session.ts';

/** The states of the login card. Source: specification 1, sections 2 and 4. */
export type LoginStep = 'login' | 'saml' | 'totp' | 'forgot' | 'totp-recover' | 'totp-recovered' | 'setupMfa';

/** Where a granted token leads; null for out of the card, into the app. */
export function stepAfter(kind: TokenKind): LoginStep | null {
  if (kind === 'code') return 'totp';
  return kind === 'setup' ? 'setupMfa' : null;
}

/** How long the reason stands there before an expired one-time-code step returns to the login. */
export const RETURN_MS = 2000;

/** Words of the specification, document 1, section 8. */
export const FAILURES = {
  login: (error: unknown): string => {
    if (!(error instanceof ApiError)) return wordsOf(error);
    if (error.code === 400) return 'Invalid login: Try continuing with SAML SSO';
    if (error.code === 401) return 'Invalid username and/or password';
    if (error.code === 429) return 'Too many requests.. Please try again later';
    return error.message;
  },
  code: (error: unknown): string =>
    isExpired(error) ? 'Session expired.  Please enter your password again.' : 'Invalid authenticator code',
  recover: (error: unknown): string =>
    isExpired(error) ? 'Session expired.  Please enter your password again.' : 'Could not recover MFA',
  saml: (error: unknown): string =>
    error instanceof ApiError && error.code === 429
      ? 'Too many requests.. Please try again later'
      : wordsOf(error) || 'SAML SSO not found',
  forgot: (): string => 'Could not reset password.',
} as const;

export const isExpired = (error: unknown): boolean => error instanceof ApiError && error.code === 401;

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
