import type { ErrorCatalog, IssueCatalog } from '../http/catalogs.ts';

export const announcementsErrors = {
  'announcement.not_found': { status: 404, text: 'This announcement no longer exists.' },
} as const satisfies ErrorCatalog;

export const announcementsIssues = {
  'issue.no_workgroup': 'Choose at least one workgroup.',
} as const satisfies IssueCatalog;
