import type { DeviceSummary } from '@albedo/contract/devices/devices.schema';
import { Button, Group, Loader, Skeleton } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { notifyFailure } from '../../app/notify.ts';
import { useNow } from '../../app/now.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useWork } from '../../app/use-submit.ts';
import { CopyIcon } from '../../ui/copy-id.tsx';
import { saveFile } from '../../ui/data-table/csv.ts';
import { ErrorState } from '../../ui/states.tsx';
import { LevelIcon } from '../../ui/status/level-icon.tsx';
import { userZone } from '../../ui/time-range/time-zone.ts';
import { formatClock } from '../../ui/time-range/zoned-time.ts';
import { minutesUntil } from '../../ui/units/durations.ts';
import classes from './devices.module.css';
import { deviceListQuery, downloadPack, installOfferQuery } from './devices.queries.ts';

/** The command to paste on the machine, the pack as a file for machines without a network, and the wait for both. */
export function InstallSteps({ device, onClose }: { device: DeviceSummary; onClose: () => void }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const offer = useQuery(installOfferQuery(wg, device.id));
  if (offer.isError)
    return (
      <ErrorState title={t('install.failed')} error={offer.error} onRetry={() => void offer.refetch()} />
    );
  return (
    <div>
      <p className={classes.hint}>{t('install.paste')}</p>
      <div className={classes.commandBox}>
        {offer.data ? (
          <>
            <pre className={classes.command}>{offer.data.command}</pre>
            <CopyIcon value={offer.data.command} label={t('install.command')} />
          </>
        ) : (
          <Skeleton height={64} />
        )}
      </div>
      {offer.data ? <Expiry at={offer.data.expiresAt} onRenew={() => void offer.refetch()} /> : null}
      <PackButton device={device} />
      <Waiting device={device} onClose={onClose} />
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose}>
          {t('actions.close')}
        </Button>
      </Group>
    </div>
  );
}

function Expiry({ at, onRenew }: { at: number; onRenew: () => void }) {
  const { t } = useTranslation();
  const now = useNow(1000);
  if (now >= at) {
    return (
      <Group gap="xs">
        <p className={classes.hint}>{t('install.expired')}</p>
        <Button variant="default" size="compact-sm" onClick={onRenew}>
          {t('install.renew')}
        </Button>
      </Group>
    );
  }
  const time = formatClock(at, userZone());
  return <p className={classes.hint}>{t('install.once', { time, count: minutesUntil(at, now) })}</p>;
}

function PackButton({ device }: { device: DeviceSummary }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { isWorking, work } = useWork((error) => notifyFailure(t('install.packFailed'), error));
  const handleDownload = () =>
    work(async () => {
      const { blob, name } = await downloadPack(wg, device.id);
      saveFile(name ?? 'albedo-agent.tar.gz', blob);
    });
  return (
    <div className={classes.pack}>
      <Button
        variant="default"
        leftSection={<IconDownload size={16} />}
        loading={isWorking}
        onClick={() => void handleDownload()}
      >
        {t('install.pack')}
      </Button>
      <p className={classes.hint}>{t('install.packHint')}</p>
    </div>
  );
}

/** Says so in the moment the device connects: the list is kept true by the socket. */
function Waiting({ device, onClose }: { device: DeviceSummary; onClose: () => void }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { data: isOnline = false } = useQuery({
    ...deviceListQuery(wg),
    select: (devices) => devices.some((one) => one.id === device.id && one.facts.online),
  });
  return (
    <>
      <div className={classes.waiting} role="status" data-online={isOnline}>
        {isOnline ? <LevelIcon mark="ok" size={18} /> : <Loader size={16} color="var(--al-brand-text)" />}
        <span>{isOnline ? t('install.online', { name: device.name }) : t('install.waiting')}</span>
        {isOnline ? (
          <Link
            to="/devices/$deviceId/$tab"
            params={{ deviceId: device.id, tab: 'general' }}
            onClick={onClose}
          >
            {t('install.open')}
          </Link>
        ) : null}
      </div>
      {isOnline ? null : <p className={classes.hint}>{t('install.stuck')}</p>}
    </>
  );
}
