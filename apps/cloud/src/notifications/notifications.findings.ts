import { FINDING_DAYS } from '@albedo/contract/diagnostics/diagnostics.names';
import { notificationsApi } from '@albedo/contract/notifications/notifications.api';
import { type FindingSource, foundOf } from '../house/finding.ts';
import { failingWebhooks } from '../outbound/failing-webhooks.ts';
import type { SetupStore } from './setup.store.ts';
import type { ToldStore } from './told.store.ts';

/** Channels that fail, and messages that were given up. */
export const notificationsFindings = ({
  setup,
  store,
}: {
  setup: Pick<SetupStore, 'list'>;
  store: Pick<ToldStore, 'droppedSince'>;
}): FindingSource[] => [
  {
    kind: 'channels',
    access: notificationsApi.channels.access,
    find: async ({ workgroup }) => failingWebhooks(await setup.list('channels', workgroup)),
  },
  {
    kind: 'deliveries',
    access: notificationsApi.deliveries.access,
    find: async ({ workgroup, now }) => {
      const dropped = await store.droppedSince(workgroup, new Date(now - FINDING_DAYS * 86_400_000));
      return foundOf(
        'warning',
        dropped.map(({ name, error, createdAt }) => ({ name, text: error, at: createdAt.getTime() })),
      );
    },
  },
];
