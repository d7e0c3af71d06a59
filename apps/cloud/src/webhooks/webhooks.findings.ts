import { webhooksApi } from '@albedo/contract/webhooks/webhooks.api';
import type { FindingSource } from '../house/finding.ts';
import { failingWebhooks } from '../outbound/failing-webhooks.ts';
import { failingSinceOf, type WebhooksStore } from './webhooks.store.ts';

/** Webhooks that fail, and those that were turned off for it. */
export const webhooksFindings = ({ store }: { store: Pick<WebhooksStore, 'list'> }): FindingSource[] => [
  {
    kind: 'webhooks',
    access: webhooksApi.list.access,
    find: async ({ workgroup }) => {
      const rows = await store.list(workgroup);
      return failingWebhooks(rows.map((row) => ({ ...row, failingSince: failingSinceOf(row) })));
    },
  },
];
