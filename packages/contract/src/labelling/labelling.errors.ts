import type { IssueCatalog } from '../http/catalogs.ts';

export const labellingIssues = {
  'issue.labelling_circle': 'The source {source} cannot be below itself.',
} as const satisfies IssueCatalog;
