import type { ErrorCatalog } from '../http/catalogs.ts';

export const watchesErrors = {
  'watch.target_not_found': {
    status: 404,
    text: 'There is nothing here with this ID that you could follow.',
  },
  'watch.too_many': { status: 409, text: 'You can follow up to {count} things in a workgroup.' },
} as const satisfies ErrorCatalog;
