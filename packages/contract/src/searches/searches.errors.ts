import type { ErrorCatalog } from '../http/catalogs.ts';

export const searchesErrors = {
  'saved_search.not_found': {
    status: 404,
    text: 'This search does not exist, or it is not shared with you.',
  },
  'saved_search.of_another': {
    status: 403,
    text: 'This search belongs to somebody else. With the permission coordinate you can change shared ones.',
  },
  'saved_search.too_many': {
    status: 409,
    text: 'A workgroup can have up to {count} saved searches. Delete one first.',
  },
  'saved_search.no_csv': {
    status: 409,
    text: 'Only a search with CSV turned on can be mailed. Turn it on first.',
  },
  'search_schedule.none': { status: 404, text: 'This search is not mailed to anybody.' },
} as const satisfies ErrorCatalog;
