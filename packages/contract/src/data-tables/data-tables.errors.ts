import type { ErrorCatalog } from '../http/catalogs.ts';

export const dataTablesErrors = {
  'data_table.held': {
    status: 409,
    text: '{by} placed a legal hold on {what}: {reason}. Release it first.',
  },
  'data_table.dropping': { status: 409, text: 'This data is being deleted already.' },
  'data_table.month_empty': { status: 404, text: 'The table {table} has nothing of this month.' },
  'data_table.month_running': {
    status: 409,
    text: '{month} is not over yet: devices go on sending data of it. Drop it when it is over.',
  },
  'legal_hold.not_found': { status: 404, text: 'This legal hold was released already.' },
  'legal_hold.too_many': {
    status: 409,
    text: 'A workgroup can have up to {count} legal holds. Release one first.',
  },
  'data_table.phrase_wrong': { status: 400, text: 'Type {phrase} exactly to delete this table.' },
  'data_table.owners_only': { status: 403, text: 'Only an owner of the workgroup may delete data.' },
  'data_table.system': {
    status: 409,
    text: 'Only the cloud writes the table {table}: it is kept for ever.',
  },
} as const satisfies ErrorCatalog;
