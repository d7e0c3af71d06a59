import type { ErrorCatalog } from '../http/catalogs.ts';

export const photosErrors = {
  'photo.not_found': { status: 404, text: 'There is no such photo.' },
} as const satisfies ErrorCatalog;
