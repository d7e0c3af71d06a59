import type { ErrorCatalog, IssueCatalog } from '../http/catalogs.ts';

export const lookupTablesErrors = {
  'lookup_table.not_found': { status: 404, text: 'This lookup table no longer exists.' },
  'lookup_table.code_taken': {
    status: 409,
    text: 'Another lookup table in this workgroup already has the code {code}.',
  },
  'lookup_table.too_many': {
    status: 409,
    text: 'A workgroup can have up to {count} lookup tables. Delete one first.',
  },
} as const satisfies ErrorCatalog;

export const lookupTablesIssues = {
  'issue.code_letters': 'A code has only letters, digits, _ and -.',
  'issue.lookup_field': 'There is no column {name}.',
} as const satisfies IssueCatalog;
