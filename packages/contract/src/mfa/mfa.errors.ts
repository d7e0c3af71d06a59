import type { ErrorCatalog, IssueCatalog } from '../http/catalogs.ts';

export const mfaErrors = {
  'mfa.code_invalid': { status: 400, text: 'Invalid authenticator code' },
  'mfa.locked': {
    status: 429,
    text: 'Too many wrong codes. Wait {minutes} minutes, then try again.',
  },
  'mfa.recovery_failed': { status: 400, text: 'Could not recover MFA' },
  'mfa.recovery_code_failed': {
    status: 400,
    text: 'Could not generate recovery code. Please enter a valid code.',
  },
  'mfa.setup_expired': {
    status: 400,
    text: 'The setup was not completed within 20 minutes. Create a new QR code.',
  },
} as const satisfies ErrorCatalog;

export const mfaIssues = {
  'issue.code': 'Invalid authenticator code',
  'issue.recovery_code': 'A recovery code has 32 characters.',
} as const satisfies IssueCatalog;
