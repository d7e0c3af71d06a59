import type { ErrorCatalog, IssueCatalog } from '../http/catalogs.ts';

export const identityProvidersErrors = {
  'sso.not_found': { status: 404, text: 'SAML SSO not found' },
  'sso.not_confirmed': {
    status: 409,
    text: 'Your identity provider did not confirm this session. Sign in there as the same person, and try again.',
  },
  'sso.owners_only': { status: 403, text: 'Only an owner can change how members sign in.' },
  'sso.metadata_invalid': { status: 400, text: 'This metadata cannot be used: {what}' },
  'sso.address_failed': { status: 400, text: 'The address could not be read: {what}' },
  'sso.issuer_failed': { status: 400, text: 'The issuer could not be used: {what}' },
  'sso.secret_missing': {
    status: 400,
    text: 'The client secret must be entered again when the issuer or the client ID changes.',
  },
} as const satisfies ErrorCatalog;

export const identityProvidersIssues = {
  'issue.client_id_required': 'Client ID is required',
  'issue.address': 'The address must start with https://',
  'issue.metadata_missing': 'Enter the metadata or its address.',
  'issue.metadata_large': 'The metadata can be up to 500 kB.',
} as const satisfies IssueCatalog;
