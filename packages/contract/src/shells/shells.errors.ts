import type { ErrorCatalog } from '../http/catalogs.ts';

export const shellsErrors = {
  'remote_access.off': {
    status: 403,
    text: 'Remote access is switched off in this workgroup. An owner can switch it on again.',
  },
  'remote_access.owners_only': { status: 403, text: 'Only an owner can switch remote access on or off.' },
  'shell.owners_only': { status: 403, text: 'Only an owner can say what a terminal asks for.' },
  'shell.second_factor_needed': {
    status: 403,
    text: 'This workgroup asks for a second factor before a terminal. Confirm with yours, or set one up in your profile.',
  },
  'shell.passkey_needed': {
    status: 403,
    text: 'This workgroup asks for a passkey before a terminal. Confirm with yours, or add one in your profile.',
  },
  'shell.not_found': { status: 404, text: 'There is no such remote shell.' },
  'shell.over': { status: 409, text: 'This remote shell is over. Open another one.' },
} as const satisfies ErrorCatalog;
