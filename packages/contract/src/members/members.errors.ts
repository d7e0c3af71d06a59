import type { ErrorCatalog, IssueCatalog } from '../http/catalogs.ts';

export const membersErrors = {
  'member.not_found': { status: 404, text: 'could not find member' },
  'member.last_owner': {
    status: 409,
    text: 'A workgroup needs at least one owner. Make another member an owner first.',
  },
  'member.owners_only': { status: 403, text: 'Only an owner can add, change or remove owners.' },
  'member.more_than_own': {
    status: 403,
    text: 'You can only grant what you have yourself. You do not have: {missing}.',
  },
  'invite.not_found': { status: 404, text: 'This invite no longer exists.' },
  'invite.member_already': { status: 409, text: '{email} is already a member of this workgroup.' },
  'invite.invalid': {
    status: 404,
    text: 'This invite is invalid or has expired. Ask whoever invited you for a new one.',
  },
  'invite.too_many': {
    status: 409,
    text: 'A workgroup can have up to {count} open invites. Delete some that were never answered.',
  },
  'invite.incomplete': { status: 400, text: 'A new account needs a name and a password.' },
  'invite.provider_unknown': {
    status: 400,
    text: 'This workgroup does not use that identity provider. Choose another one or none.',
  },
} as const satisfies ErrorCatalog;

export const membersIssues = {
  'issue.email_required': 'Email address is required.',
} as const satisfies IssueCatalog;
