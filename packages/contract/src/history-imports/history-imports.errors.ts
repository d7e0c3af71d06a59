import type { ErrorCatalog, IssueCatalog } from '../http/catalogs.ts';

export const historyImportsErrors = {
  'history_import.not_found': { status: 404, text: 'This import no longer exists.' },
  'history_import.too_many': {
    status: 409,
    text: 'A workgroup can keep up to {count} files to import. Delete one first.',
  },
  'history_import.incomplete': { status: 409, text: 'The file is not here completely yet.' },
  'history_import.busy': { status: 409, text: 'This import cannot be changed in its present state.' },
  'history_import.replaced': {
    status: 409,
    text: 'The later import {name} replaced events of this one. Undo that one first.',
  },
  'history_import.lost': {
    status: 409,
    text: 'The events that this import replaced are not kept any more, so that they cannot be put back.',
  },
  'history_import.unreadable': { status: 422, text: 'The file could not be read: {why}' },
} as const satisfies ErrorCatalog;

export const historyImportsIssues = {
  'issue.no_file_column': 'The file has no column called {name}.',
} as const satisfies IssueCatalog;
