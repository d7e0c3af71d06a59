import type { ErrorCatalog, IssueCatalog } from '../http/catalogs.ts';

export const settingsErrors = {
  'setting.unknown': { status: 404, text: 'There is no setting named {key}.' },
} as const satisfies ErrorCatalog;

export const settingsIssues = {
  'issue.time_zone': 'This time zone does not exist.',
  'issue.language': 'The languages are en, de and es.',
} as const satisfies IssueCatalog;
