import type { ErrorCatalog, IssueCatalog } from '../http/catalogs.ts';

export const incidentsErrors = {
  'incident.not_found': { status: 404, text: 'Incident not found' },
  'incident.closed': { status: 409, text: 'This incident is closed.' },
} as const satisfies ErrorCatalog;

export const incidentsIssues = {
  'issue.shelf_end': 'Between one minute and {days} days from now.',
} as const satisfies IssueCatalog;
