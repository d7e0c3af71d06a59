import type { ErrorCatalog } from '../http/catalogs.ts';

export const dataTablesErrors = {
  'data_table.phrase_wrong': { status: 400, text: 'Type {phrase} exactly to delete this table.' },
  'data_table.owners_only': { status: 403, text: 'Only an owner of the workgroup may delete data.' },
  'data_table.system': {
    status: 409,
    text: 'Only the cloud writes the table {table}: it is kept for ever.',
  },
} as const satisfies ErrorCatalog;
