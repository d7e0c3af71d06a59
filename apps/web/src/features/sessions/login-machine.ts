import i18next from 'i18next';
import { ApiError } from '../../app/call.ts';
import { knownFailureText as say } from '../../app/i18n.ts';
import { NoWorkgroupError, type TokenKind } from '../../app/session.ts';

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
    if (isWithoutWorkgroup(error)) return i18next.t('login.noWorkgroup');
    if (!(error instanceof ApiError)) return wordsOf(error);
    const status = statusOf(error);
    if (status === 400) return say('session.use_sso', 'Invalid login: Try continuing with SAML SSO');
    if (status === 401) return say('session.bad_credentials', 'Invalid username and/or password');
    if (status === 429) return say('request.too_many', 'Too many requests.. Please try again later');
    // Only an error with a name has a text of ours; others may say anything.
    return error.isOfServer && error.error === null ? say('client.unknown', 'Unknown error') : error.message;
  },
  code: (error: unknown): string => {
    // The code was right.
    if (isWithoutWorkgroup(error)) return i18next.t('login.noWorkgroup');
    if (isLocked(error)) return error.message;
    return isExpired(error)
      ? say('session.code_expired', 'Session expired.  Please enter your password again.')
      : say('mfa.code_invalid', 'Invalid authenticator code');
  },
  recover: (error: unknown): string =>
    isLocked(error)
      ? error.message
      : isExpired(error)
        ? say('session.code_expired', 'Session expired.  Please enter your password again.')
        : say('mfa.recovery_failed', 'Could not recover MFA'),
  saml: (error: unknown): string =>
    error instanceof ApiError && statusOf(error) === 429
      ? say('request.too_many', 'Too many requests.. Please try again later')
      : error instanceof ApiError && !error.isOfServer
        ? say('sso.not_found', 'SAML SSO not found')
        : wordsOf(error),
  forgot: (): string => say('client.reset_failed', 'Could not reset password.'),
} as const;

/** Key of a text with advice on a refusal. */
export type Hint = 'login.ssoHint' | 'login.maybeSsoHint' | 'login.noSsoHint';

/** Advice on a refusal; null if its own text says what to do. */
export function hintOf(error: unknown): Hint | null {
  if (!(error instanceof ApiError)) return null;
  if (error.error === 'session.use_sso') return 'login.ssoHint';
  if (error.error === 'sso.not_found') return 'login.noSsoHint';
  return statusOf(error) === 400 ? 'login.maybeSsoHint' : null;
}

export const isExpired = (error: unknown): boolean => error instanceof ApiError && error.code === 401;

/** After too many wrong codes the right one is refused too, and the person has to know. */
const isLocked = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.error === 'mfa.locked';

export const isWithoutWorkgroup = (error: unknown): boolean => error instanceof NoWorkgroupError;

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** What a proxy answered in place of the server has its status as well. */
const statusOf = ({ code, facts }: ApiError): number => (code === -1 ? Number(facts.status) : code);
