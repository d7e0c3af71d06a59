import type { Device } from '@albedo/contract/devices/devices.schema';
import { Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { notifyFailure } from '../../app/notify.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useWork } from '../../app/use-submit.ts';
import { Section } from '../../ui/section.tsx';
import { follow, unfollow, watchesQuery } from './notifications.queries.ts';

/** Whether incidents of a device reach the person. */
export function FollowDevice({ device }: { device: Device }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { data } = useQuery(watchesQuery(wg));
  const { isWorking, work } = useWork((error) => notifyFailure(t('notifications.follow.failed'), error));
  const watch = data?.find(({ kind, target }) => kind === 'device' && target === device.id);
  const toggle = () =>
    void work(async () => {
      if (watch) await unfollow(wg, watch._id);
      else await follow(wg, { kind: 'device', target: device.id, channels: ['mail', 'push'] });
    });
  return (
    <Section title={t('notifications.follow.title')}>
      <Switch
        label={t('notifications.follow.device')}
        description={t('notifications.follow.help')}
        checked={watch !== undefined}
        disabled={!data || isWorking}
        onChange={toggle}
      />
    </Section>
  );
}
