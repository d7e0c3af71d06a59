import type { IssueCatalog } from '../http/catalogs.ts';

export const diagnosticsIssues = {
  'issue.location': 'A location is a path in the web app without a query.',
} as const satisfies IssueCatalog;
