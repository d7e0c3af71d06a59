import type { ErrorCatalog } from '../http/catalogs.ts';

export const supportErrors = {
  'ticket.not_found': { status: 404, text: 'This ticket does not exist.' },
} as const satisfies ErrorCatalog;
