import type { ErrorCatalog, IssueCatalog } from '../http/catalogs.ts';

export const sessionsErrors = {
  'session.use_sso': { status: 400, text: 'Invalid login: Try continuing with SAML SSO' },
  'session.bad_credentials': { status: 401, text: 'Invalid username and/or password' },
  'session.password_over': {
    status: 403,
    text: 'This password was made by the server and is no longer good. Choose your own with "Forgot password".',
  },
  'session.from_provider': {
    status: 403,
    text: 'You signed in with single sign-on. Your identity provider manages your address, password and second factor.',
  },
  'session.code_expired': { status: 401, text: 'Session expired.  Please enter your password again.' },
  'session.idle': {
    status: 401,
    text: 'Nobody used this session for a while, so it has ended. Sign in again.',
  },
  'session.unknown': { status: 404, text: 'This session has already ended.' },
  'session.not_fresh': { status: 403, text: 'Confirm that it is you, then try again.' },
} as const satisfies ErrorCatalog;

export const sessionsIssues = {
  'issue.password_common': 'This is one of the most common passwords. Choose another one.',
  'issue.password_own': 'This is too close to your own name or address. Choose another one.',
  'issue.password_short': 'Password must contain at least 8 characters',
} as const satisfies IssueCatalog;
