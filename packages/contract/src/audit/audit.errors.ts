import type { IssueCatalog } from '../http/catalogs.ts';

export const auditIssues = {
  'issue.next_page': 'before must be the next of another page.',
} as const satisfies IssueCatalog;
