import type { Watch } from '@albedo/contract/watches/watches.schema';
import { ActionIcon, Checkbox, Group } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { notifyFailure } from '../../app/notify.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useWork } from '../../app/use-submit.ts';
import rows from '../../ui/row-list.module.css';
import { Section } from '../../ui/section.tsx';
import { EmptyState, ErrorState, TableSkeleton } from '../../ui/states.tsx';
import classes from './notifications.module.css';
import { follow, unfollow, watchesQuery } from './notifications.queries.ts';

/** What a person follows in the workgroup that they look at, and how they hear of it. */
export function Followed() {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { data, error, refetch } = useQuery(watchesQuery(wg));
  return (
    <Section isFlush title={t('notifications.follow.listTitle')} context={t('notifications.follow.context')}>
      {error ? (
        <ErrorState
          title={t('notifications.follow.loadFailed')}
          error={error}
          onRetry={() => void refetch()}
        />
      ) : !data ? (
        <TableSkeleton rows={2} />
      ) : data.length === 0 ? (
        <EmptyState title={t('notifications.follow.none')} text={t('notifications.follow.noneText')} />
      ) : (
        <ul className={rows.list}>
          {data.map((watch) => (
            <FollowedRow key={watch._id} wg={wg} watch={watch} />
          ))}
        </ul>
      )}
    </Section>
  );
}

function FollowedRow({ wg, watch }: { wg: string; watch: Watch }) {
  const { t } = useTranslation();
  const { isWorking, work } = useWork((error) => notifyFailure(t('notifications.follow.failed'), error));
  const { _id, kind, target, channels } = watch;
  const name = watch.name ?? t('notifications.follow.gone');
  const toggle = (channel: 'mail' | 'push') =>
    void work(async () => {
      const next = channels.includes(channel)
        ? channels.filter((one) => one !== channel)
        : [...channels, channel];
      if (next.length === 0) await unfollow(wg, _id);
      else await follow(wg, { kind, target, channels: next });
    });
  return (
    <li className={rows.row}>
      <div className={classes.what}>
        <div className={rows.name}>{name}</div>
        <div className={rows.words}>{t(`notifications.follow.kinds.${kind}`)}</div>
      </div>
      <Group gap="md">
        {(['mail', 'push'] as const).map((channel) => (
          <Checkbox
            key={channel}
            label={t(`notifications.follow.${channel}`)}
            checked={channels.includes(channel)}
            // Whoever wants to hear nothing of it removes it.
            disabled={
              isWorking || watch.name === null || (channels.length === 1 && channels.includes(channel))
            }
            onChange={() => toggle(channel)}
          />
        ))}
        <ActionIcon
          variant="subtle"
          color="gray"
          disabled={isWorking}
          aria-label={t('notifications.follow.drop', { name })}
          onClick={() => void work(() => unfollow(wg, _id))}
        >
          <IconTrash size={16} />
        </ActionIcon>
      </Group>
    </li>
  );
}
