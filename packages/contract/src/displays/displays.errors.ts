import type { ErrorCatalog, IssueCatalog } from '../http/catalogs.ts';

export const displaysErrors = {
  'display.ended': {
    status: 401,
    text: 'This display link does not work any more. Ask whoever gave it to you for a new one.',
  },
  'display.elsewhere': { status: 403, text: 'This display link does not work from this network.' },
  'display.not_asked': { status: 403, text: 'This display link shows its dashboards and nothing else.' },
  'display.not_found': { status: 404, text: 'This display link does not exist, or was revoked already.' },
  'display.too_many': {
    status: 409,
    text: 'A workgroup can have up to {count} display links. Revoke one first.',
  },
} as const satisfies ErrorCatalog;

export const displaysIssues = {
  'issue.display_network': 'This is no address or network, such as 203.0.113.7 or 203.0.113.0/24.',
  'issue.display_range':
    'This is no time range. Use a name such as last-7-days or today, or a length such as 90m.',
  'issue.display_board': 'This dashboard does not exist, or you may not see it.',
  'issue.display_entity': 'This dashboard does not show this entity.',
  'issue.display_variable': 'This dashboard has no variable {name}.',
  'issue.display_choices':
    'There are more than {max} ways to choose these variables. Let people choose fewer of them.',
} as const satisfies IssueCatalog;
