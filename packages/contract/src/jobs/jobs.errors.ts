import type { ErrorCatalog } from '../http/catalogs.ts';

export const jobsErrors = {
  'job.not_found': { status: 404, text: 'This job is not in the list any more.' },
} as const satisfies ErrorCatalog;
