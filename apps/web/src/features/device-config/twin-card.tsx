import type { Device } from '@albedo/contract/devices/devices.schema';
import type { DeviceTwin } from '@albedo/contract/twins/twins.schema';
import { Button, Group, Modal, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notifyDone } from '../../app/notify.ts';
import { useNow } from '../../app/now.ts';
import { queryClient } from '../../app/query-client.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useAttempt } from '../../app/use-submit.ts';
import { Failure } from '../../ui/failure.tsx';
import { Section } from '../../ui/section.tsx';
import { LevelIcon } from '../../ui/status/level-icon.tsx';
import { userZone } from '../../ui/time-range/time-zone.ts';
import { formatInstant } from '../../ui/time-range/zoned-time.ts';
import { agoText, formatDuration } from '../../ui/units/durations.ts';
import classes from './device-config.module.css';
import { applyConfig, deviceConfigKey, setDesired, twinKey, twinQuery } from './device-config.queries.ts';
import { DiffLines } from './diff-lines.tsx';

/** Whether the device has the configuration that it should have, and since when it has not. */
export function TwinCard({ device }: { device: Device }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const now = useNow(30_000);
  const [isShown, setShown] = useState(false);
  const { data: twin, isError } = useQuery(twinQuery(wg, device.id));
  const { configDiffersSince, wentBack } = device.facts;
  // The device told something else, here or there.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is asked again when this changes
  useEffect(() => {
    void queryClient.invalidateQueries({ queryKey: twinKey(wg, device.id) });
  }, [wg, device.id, configDiffersSince, wentBack?.at]);
  if (isError) return null;
  if (!twin?.desired || !twin.reported) {
    return (
      <Section title={t('deviceConfig.twin.title')}>
        <Text size="sm" c="dimmed">
          {t('deviceConfig.twin.unknown')}
        </Text>
      </Section>
    );
  }
  const { desired, reported, differsSince } = twin;
  const zone = userZone();
  const isRefused = differsSince !== null && wentBack?.hash === desired.hash;
  return (
    <Section title={t('deviceConfig.twin.title')}>
      {isRefused ? (
        <p className={classes.fine} role="alert">
          <LevelIcon mark="danger" />
          {t('deviceConfig.twin.refused', { at: formatInstant(wentBack.at, zone), why: wentBack.why })}
        </p>
      ) : null}
      <p className={classes.fine} role="status">
        <LevelIcon mark={differsSince === null ? 'ok' : 'warning'} />
        {differsSince === null
          ? t('deviceConfig.twin.same')
          : t('deviceConfig.twin.differs', { time: formatDuration(Math.max(0, now - differsSince)) })}
      </p>
      <dl className={classes.twin}>
        <div>
          <dt>{t('deviceConfig.twin.desired')}</dt>
          <dd title={formatInstant(desired.at, zone)}>
            {desired.by === null
              ? t('deviceConfig.twin.first', { ago: agoText(desired.at, now) })
              : t('deviceConfig.twin.by', { by: desired.by, ago: agoText(desired.at, now) })}
          </dd>
        </div>
        <div>
          <dt>{t('deviceConfig.twin.reported')}</dt>
          <dd title={formatInstant(reported.at, zone)}>{agoText(reported.at, now)}</dd>
        </div>
      </dl>
      {differsSince === null ? null : (
        <Button size="xs" variant="default" onClick={() => setShown(true)}>
          {t('deviceConfig.twin.show')}
        </Button>
      )}
      {isShown && differsSince !== null ? (
        <Difference device={device} desired={desired} reported={reported} onClose={() => setShown(false)} />
      ) : null}
    </Section>
  );
}

interface DifferenceProps {
  device: Device;
  desired: NonNullable<DeviceTwin['desired']>;
  reported: NonNullable<DeviceTwin['reported']>;
  onClose: () => void;
}

/** Line by line what would go and come on the device, and the two ways to end the difference. */
function Difference({ device, desired, reported, onClose }: DifferenceProps) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { attempt, isWorking, failure } = useAttempt();
  const handleApply = () =>
    attempt(async () => {
      const applied = await applyConfig(device.id, desired.text, reported.hash);
      if (!applied.isApplied) throw new Error(t('deviceConfig.unusable'));
      queryClient.setQueryData(deviceConfigKey(wg, device.id), applied.config);
      await queryClient.invalidateQueries({ queryKey: twinKey(wg, device.id) });
      notifications.show({ title: t('deviceConfig.updated'), message: device.name });
      onClose();
    });
  const handleTake = () =>
    attempt(async () => {
      await setDesired(wg, device.id, reported.text);
      notifyDone(t('deviceConfig.twin.taken'));
      onClose();
    });
  return (
    <Modal
      opened
      onClose={onClose}
      size="xl"
      title={t('deviceConfig.twin.title')}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <Text size="sm" mb="xs">
        {t('deviceConfig.twin.legend')}
      </Text>
      <DiffLines before={reported.text} after={desired.text} />
      <Failure text={failure} />
      <Group justify="flex-end" mt="md">
        <Button variant="default" disabled={isWorking} onClick={() => void handleTake()}>
          {t('deviceConfig.twin.take')}
        </Button>
        <Button loading={isWorking} disabled={!device.facts.online} onClick={() => void handleApply()}>
          {t('deviceConfig.twin.apply')}
        </Button>
      </Group>
    </Modal>
  );
}
