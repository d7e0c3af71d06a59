import type { ErrorCatalog, IssueCatalog } from '../http/catalogs.ts';

export const metadataErrors = {
  'metadata.field_unknown': { status: 404, text: 'No field is called {name}.' },
  'metadata.field_taken': { status: 409, text: 'Another field is already called {name}.' },
  'metadata.field_decides': {
    status: 409,
    text: 'Device groups choose their devices by {name}. Change these groups first.',
  },
} as const satisfies ErrorCatalog;

export const metadataIssues = {
  'issue.metadata_define': 'Define the field {name} first.',
  'issue.metadata_id_column': 'The file needs a column named id or name.',
  'issue.metadata_source_column': 'The file needs a column named source.',
  'issue.metadata_column_twice': 'The column {name} appears twice.',
  'issue.metadata_device': 'No device has the ID or name {name}.',
  'issue.metadata_source': 'The source is missing.',
  'issue.metadata_twice': '{name} appears in row {earlier} already.',
  'issue.metadata_long': 'The value of {name} has more than {max} characters.',
} as const satisfies IssueCatalog;
