import type { ErrorCatalog } from '../http/catalogs.ts';

export const workgroupRequestsErrors = {
  'request.decided': { status: 409, text: 'This request has already been decided.' },
} as const satisfies ErrorCatalog;
