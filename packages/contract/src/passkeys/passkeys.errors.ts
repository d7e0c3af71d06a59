import type { ErrorCatalog } from '../http/catalogs.ts';

export const passkeysErrors = {
  'passkey.not_found': { status: 404, text: 'This passkey no longer exists.' },
  'passkey.refused': {
    status: 400,
    text: 'This passkey was not accepted. Try again, or use another way to sign in.',
  },
  'passkey.too_many': { status: 409, text: 'An account can have up to {count} passkeys. Remove one first.' },
  'passkey.known': { status: 409, text: 'This device already holds a passkey for this account.' },
  'passkey.last_factor': {
    status: 409,
    text: 'Your account requires two-factor authentication, and this is your last second factor. Add another one first.',
  },
} as const satisfies ErrorCatalog;
