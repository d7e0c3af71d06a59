import type { ErrorCatalog, IssueCatalog } from '../http/catalogs.ts';

export const diagnosticsErrors = {
  'browser_error.not_found': { status: 404, text: 'This error is not reported any more.' },
} as const satisfies ErrorCatalog;

export const diagnosticsIssues = {
  'issue.location': 'A location is a path in the web app without a query.',
} as const satisfies IssueCatalog;
