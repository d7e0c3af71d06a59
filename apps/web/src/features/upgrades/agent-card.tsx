import { devicesApi } from '@albedo/contract/devices/devices.api';
import type { Device } from '@albedo/contract/devices/devices.schema';
import { UPGRADE_STEPS } from '@albedo/contract/upgrades/upgrades.schema';
import { Button, Progress, Stack, Text } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../app/call.ts';
import { ConfirmDialog } from '../../app/confirm-dialog.tsx';
import { notifyDone } from '../../app/notify.ts';
import { usePermission } from '../../app/permissions.ts';
import { type ActionReply, requestEach } from '../../app/socket.ts';
import { useAttempt } from '../../app/use-submit.ts';
import { Failure } from '../../ui/failure.tsx';
import { Section } from '../../ui/section.tsx';

const offeredQuery = queryOptions({
  queryKey: ['agent-version'],
  queryFn: ({ signal }) => call(devicesApi.agentVersion, {}, signal),
  staleTime: 60_000,
});

type Status = ActionReply<'device:doUpgrade'>;

/** Which version the agent is, and the way to the version of this server. */
export function AgentCard({ device }: { device: Device }) {
  const { t } = useTranslation();
  const { version, online } = device.facts;
  const mayUpgrade = usePermission('controlDevices');
  const { data: offered } = useQuery(offeredQuery);
  const [isAsking, setAsking] = useState(false);
  const [status, setStatus] = useState<Status | null>(null);
  const { isWorking, failure, attempt } = useAttempt();
  if (version === null) return null;
  const isNewer = offered !== undefined && offered.version !== version;
  const upgrade = () =>
    attempt(async () => {
      setStatus(null);
      await requestEach('device:doUpgrade', { deviceId: device.id }, setStatus);
      notifyDone(t('upgrades.completed', { device: device.name }));
    });
  return (
    <Section title={t('upgrades.title')}>
      <Stack gap="xs">
        <Text size="sm">{t('upgrades.version', { version })}</Text>
        {isWorking ? (
          <div role="status">
            <Text size="sm">{t(`upgrades.steps.${status?.step ?? 'checks'}`)}</Text>
            <Progress value={doneOf(status)} mt={6} size="sm" aria-label={t('upgrades.progress')} />
          </div>
        ) : null}
        {!isWorking && offered && !isNewer ? (
          <Text size="sm" c="dimmed">
            {t('upgrades.newest')}
          </Text>
        ) : null}
        {mayUpgrade && isNewer && !isWorking ? (
          <Button variant="default" disabled={!online} onClick={() => setAsking(true)}>
            {t('upgrades.upgrade', { version: offered.version })}
          </Button>
        ) : null}
        <Failure text={failure} />
      </Stack>
      {isAsking && offered ? (
        <ConfirmDialog
          confirm={t('upgrades.confirm')}
          onConfirm={async () => {
            void upgrade();
          }}
          onClose={() => setAsking(false)}
        >
          {t('upgrades.ask', { device: device.name, version: offered.version })}
        </ConfirmDialog>
      ) : null}
    </Section>
  );
}

/** %, of the steps on the device and the wait for it to report in. */
function doneOf(status: Status | null): number {
  if (!status?.step) return 5;
  return Math.round((90 * (UPGRADE_STEPS.indexOf(status.step) + 1)) / UPGRADE_STEPS.length);
}
