import { webhooksApi } from '@albedo/contract/webhooks/webhooks.api';
import { type FindingSource, foundOf } from '../house/finding.ts';
import type { WebhooksStore } from './webhooks.store.ts';

/** Webhooks whose address takes nothing, and those that were turned off for it. */
export const webhooksFindings = ({ store }: { store: Pick<WebhooksStore, 'list'> }): FindingSource[] => [
  {
    kind: 'webhooks',
    access: webhooksApi.list.access,
    find: async ({ workgroup }) =>
      foundOf(
        'danger',
        (await store.list(workgroup)).flatMap(({ name, failingSince, offReason, lastError }) =>
          failingSince !== null || offReason !== null
            ? [{ name, text: lastError, at: failingSince?.getTime() ?? null }]
            : [],
        ),
      ),
  },
];
