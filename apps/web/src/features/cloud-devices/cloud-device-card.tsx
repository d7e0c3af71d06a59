import type { CloudDevice } from '@albedo/contract/cloud-devices/cloud-devices.schema';
import type { Device } from '@albedo/contract/devices/devices.schema';
import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNow } from '../../app/now.ts';
import { usePermission } from '../../app/permissions.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useAttempt } from '../../app/use-submit.ts';
import { Failure } from '../../ui/failure.tsx';
import { Section } from '../../ui/section.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { LevelIcon, type Mark } from '../../ui/status/level-icon.tsx';
import { formatLongDuration } from '../../ui/units/durations.ts';
import { NO_VALUE } from '../../ui/units/numbers.ts';
import classes from './cloud-devices.module.css';
import { cloudDeviceQuery, wishCloudDevice } from './cloud-devices.queries.ts';
import { NatGatewayCard } from './nat-gateway-card.tsx';
import { NetworkSettingsCard } from './network-settings-card.tsx';

/** How the process of a cloud device is, and its network settings; nothing on the page of any other device. */
export function CloudDeviceCard({ device }: { device: Device }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const mayControl = usePermission('controlDevices');
  const mayManage = usePermission('manageDevices');
  const { data, error, refetch } = useQuery({ ...cloudDeviceQuery(wg, device.id), enabled: device.ced });
  if (!device.ced || data === null) return null;
  if (error)
    return <ErrorState title={t('cloudDevices.failed')} error={error} onRetry={() => void refetch()} />;
  if (!data) return null;
  return (
    <>
      <Section title={t('cloudDevices.title')} context={data.cloud.name}>
        <Facts cloud={data} />
        {mayControl ? <Actions device={device} cloud={data} /> : null}
      </Section>
      {mayControl ? <NetworkSettingsCard device={device} /> : null}
      {mayManage ? <NatGatewayCard device={device} cloud={data.cloud} /> : null}
    </>
  );
}

const MARKS: Record<CloudDevice['state'], Mark> = {
  starting: 'waiting',
  running: 'ok',
  waiting: 'warning',
  stopped: 'offline',
};

function Facts({ cloud }: { cloud: CloudDevice }) {
  const { t } = useTranslation();
  const now = useNow(1000);
  const of = (used: number | null, most: number) => t('cloudDevices.used', { used: used ?? NO_VALUE, most });
  return (
    <dl className={classes.facts}>
      <div>
        <dt>{t('cloudDevices.process')}</dt>
        <dd className={classes.state}>
          <LevelIcon mark={MARKS[cloud.state]} size={16} />
          <span>
            {t('cloudDevices.stateFor', {
              state: t(`cloudDevices.states.${cloud.state}`),
              time: formatLongDuration(Math.max(0, now - cloud.since)),
            })}
          </span>
        </dd>
      </div>
      <div>
        <dt>{t('cloudDevices.memory')}</dt>
        <dd>{of(cloud.memoryMb, cloud.limits.memoryMb)}</dd>
      </div>
      <div>
        <dt>{t('cloudDevices.disk')}</dt>
        <dd>{of(cloud.diskMb, cloud.limits.diskMb)}</dd>
      </div>
      <div>
        <dt>{t('cloudDevices.restarts')}</dt>
        <dd>{cloud.restarts}</dd>
      </div>
      {cloud.lastEnd === null ? null : (
        <div>
          <dt>{t('cloudDevices.lastEnd')}</dt>
          <dd>{cloud.lastEnd}</dd>
        </div>
      )}
    </dl>
  );
}

function Actions({ device, cloud }: { device: Device; cloud: CloudDevice }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { attempt, isWorking, failure } = useAttempt();
  const button = (action: 'start' | 'stop' | 'restart') => (
    <Button
      key={action}
      variant="default"
      disabled={isWorking}
      onClick={() => void attempt(() => wishCloudDevice(wg, device.id, action))}
    >
      {t(`cloudDevices.actions.${action}`)}
    </Button>
  );
  return (
    <>
      <Failure text={failure} />
      <Group mt="sm" gap="xs">
        {cloud.state === 'stopped' ? button('start') : [button('restart'), button('stop')]}
      </Group>
    </>
  );
}
