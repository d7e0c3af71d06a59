import type { ErrorCatalog } from '../http/catalogs.ts';

export const longActionsErrors = {
  'long_action.not_found': { status: 404, text: 'This is not in the list any more.' },
  'long_action.no_cancel': { status: 409, text: 'This can no longer be cancelled.' },
  'long_action.file_gone': {
    status: 404,
    text: 'This file is no longer kept, or its link was used already.',
  },
} as const satisfies ErrorCatalog;
