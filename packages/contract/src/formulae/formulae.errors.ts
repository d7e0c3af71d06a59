import type { ErrorCatalog } from '../http/catalogs.ts';

export const formulaeErrors = {
  'formula.not_found': { status: 404, text: 'This formula does not exist, or it is not shared with you.' },
  'formula.of_another': {
    status: 403,
    text: 'This formula belongs to somebody else. With the permission coordinate you can change shared ones.',
  },
  'formula.too_many': { status: 409, text: 'A workgroup can have up to {count} formulas. Delete one first.' },
} as const satisfies ErrorCatalog;
