import { FINDING_DAYS } from '@albedo/contract/diagnostics/diagnostics.names';
import { notificationsApi } from '@albedo/contract/notifications/notifications.api';
import { type FindingSource, foundOf } from '../house/finding.ts';
import type { SetupStore } from './setup.store.ts';
import type { ToldStore } from './told.store.ts';

/** Channels that take nothing, and messages that were given up. */
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
    find: async ({ workgroup }) =>
      foundOf(
        'danger',
        (await setup.list('channels', workgroup)).flatMap(({ name, failingSince, offReason, lastError }) =>
          failingSince !== null || offReason !== null
            ? [{ name, text: lastError, at: failingSince?.getTime() ?? null }]
            : [],
        ),
      ),
  },
  {
    kind: 'deliveries',
    access: notificationsApi.deliveries.access,
    find: async ({ workgroup, now }) => {
      const dropped = await store.droppedSince(workgroup, new Date(now - FINDING_DAYS * 86_400_000));
      const given = dropped.map(({ name, error, createdAt }) => ({
        name,
        text: error,
        at: createdAt.getTime(),
      }));
      return foundOf('warning', given);
    },
  },
];
