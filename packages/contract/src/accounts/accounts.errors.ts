import type { ErrorCatalog, IssueCatalog } from '../http/catalogs.ts';

export const accountsErrors = {
  'account.email_taken': {
    status: 409,
    text: 'Email address already in use. Try resetting your password.',
  },
  'account.reset_invalid': {
    status: 404,
    text: 'This link is invalid or has expired. Go to login and request a new reset.',
  },
  'account.by_provider': {
    status: 400,
    text: 'None of your workgroups can be opened with a password. Sign in with single sign-on.',
  },
  'account.password_wrong': { status: 400, text: 'The current password is incorrect.' },
  'account.password_missing': {
    status: 400,
    text: 'This account has no password. Sign in with single sign-on.',
  },
  'account.email_code_invalid': { status: 400, text: 'This code is incorrect or has expired.' },
  'account.revert_invalid': {
    status: 404,
    text: 'This link is invalid or has expired. Tell your workgroup administrator.',
  },
  'account.email_reserved': {
    status: 403,
    text: 'An address of the provider cannot be used here. Enter another one.',
  },
} as const satisfies ErrorCatalog;

export const accountsIssues = {
  'issue.email_code': 'The code has six digits.',
} as const satisfies IssueCatalog;
