import type { ErrorCatalog } from '../http/catalogs.ts';

export const historyErrors = {
  'history.not_found': { status: 404, text: 'This version does not exist, or is no longer kept.' },
  'history.no_change': { status: 404, text: 'This change does not exist, or is no longer kept.' },
  'history.not_newest': {
    status: 409,
    text: 'Somebody else saved this meanwhile: you changed version {yours}, the newest is {newest}.',
  },
  'history.changed_since': {
    status: 409,
    text: '{name} was changed again since then. Undo that first, or restore a version of it.',
  },
} as const satisfies ErrorCatalog;
