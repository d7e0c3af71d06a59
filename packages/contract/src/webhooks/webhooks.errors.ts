import type { ErrorCatalog, IssueCatalog } from '../http/catalogs.ts';

export const webhooksErrors = {
  'webhook.not_found': { status: 404, text: 'This webhook no longer exists.' },
  'webhook.name_taken': {
    status: 409,
    text: 'Another webhook in this workgroup is already called {name}.',
  },
  'webhook.too_many': {
    status: 409,
    text: 'A workgroup can have up to {count} webhooks. Delete one first.',
  },
  'webhook.busy': {
    status: 429,
    text: 'The webhooks of this workgroup were called {count} times in the last hour. Try again later.',
  },
  'webhook.delivery_not_found': { status: 404, text: 'This message is no longer kept.' },
} as const satisfies ErrorCatalog;

export const webhooksIssues = {
  'issue.webhook_no_tables': 'Choose the tables whose new rows are sent.',
  'issue.webhook_table': 'The cloud writes this table itself: its rows are not sent.',
} as const satisfies IssueCatalog;
