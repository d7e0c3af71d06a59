import type { ErrorCatalog } from '../http/catalogs.ts';

export const historyErrors = {
  'history.not_found': { status: 404, text: 'This version does not exist, or is no longer kept.' },
} as const satisfies ErrorCatalog;
