import type { ErrorCatalog, IssueCatalog } from '../http/catalogs.ts';

export const apiTokensErrors = {
  'api_token.not_found': { status: 404, text: 'This API token does not exist.' },
  'api_token.too_many': {
    status: 409,
    text: 'A workgroup can have up to {count} API tokens. Revoke one that is no longer used.',
  },
  'api_token.not_renewable': { status: 403, text: 'This API token cannot be renewed.' },
  'api_token.owners_only': {
    status: 403,
    text: 'Only a workgroup owner can create an API token that changes the configuration.',
  },
  'api_token.own_group': {
    status: 403,
    text: 'You belong to a device group, so the API tokens you create must use the same one.',
  },
} as const satisfies ErrorCatalog;

export const apiTokensIssues = {
  'issue.token_configures':
    'A token that may change the configuration ends when it expires. It cannot be renewed.',
} as const satisfies IssueCatalog;
