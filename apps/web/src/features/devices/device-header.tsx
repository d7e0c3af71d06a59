import { buildHealth, type HealthCell as Health } from '@albedo/contract/devices/devices.health';
import type { Device } from '@albedo/contract/devices/devices.schema';
import { ActionIcon, Button, Menu, Text } from '@mantine/core';
import {
  IconCertificateOff,
  IconChevronDown,
  IconDownload,
  IconPencil,
  IconTrash,
} from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../app/confirm-dialog.tsx';
import { notifyDone } from '../../app/notify.ts';
import { useNow } from '../../app/now.ts';
import { useWorkgroup } from '../../app/session.ts';
import { CopyId } from '../../ui/copy-id.tsx';
import { HealthCell } from '../../ui/status/health-cell.tsx';
import { LevelIcon } from '../../ui/status/level-icon.tsx';
import { StatusDot } from '../../ui/status/status-dot.tsx';
import { formatLongDuration } from '../../ui/units/durations.ts';
import { DeleteDeviceDialog } from './delete-device-dialog.tsx';
import { revokeCertificate, useMayManageDevices } from './device.queries.ts';
import classes from './device-header.module.css';
import { isAwaited } from './device-state.ts';
import { HeldMark } from './held-mark.tsx';
import { InstallDialog } from './install-dialog.tsx';
import { QuarantineItem } from './open-device-menu.tsx';
import { QuarantineDialog, ReleaseDialog } from './quarantine-dialogs.tsx';
import { RenameDeviceDialog } from './rename-device-dialog.tsx';

/** What is said of a metric that is not fine, in the order of the list. */
const METRICS = [
  'cloudLastData',
  'statusSourceData',
  'clockAccuracy',
  'cpuUsage',
  'memUsage',
  'diskUsage',
  'cpuTemp',
  'osVersion',
] as const;

/** Whether the device is there, since when, and what of its health needs a look. */
export function DeviceContext({ device }: { device: Device }) {
  const { t } = useTranslation();
  const now = useNow(1000);
  const { facts } = device;
  const health = buildHealth(device, now);
  const troubles = facts.online
    ? METRICS.filter((key) => health[key].class !== 'ok' && health[key].raw !== null)
    : [];
  const since = facts.stateChangedAt === null ? null : formatLongDuration(now - facts.stateChangedAt);
  return (
    <div className={classes.context}>
      {device.quarantine ? (
        <HeldMark />
      ) : isAwaited(device) ? (
        <span className={classes.awaited}>
          <LevelIcon mark="waiting" size={12} />
          {t(device.ced ? 'devices.awaitedData' : 'devices.awaited')}
        </span>
      ) : (
        <StatusDot
          isOnline={facts.online}
          label={t(`devices.filters.status.${facts.online ? 'online' : 'offline'}`)}
        />
      )}
      {since === null ? null : <span>{t('device.since', { time: since })}</span>}
      {troubles.length === 0 && facts.online ? <span>{t('device.allFine')}</span> : null}
      {troubles.map((key) => (
        <Trouble key={key} name={t(`device.metrics.${key}`)} cell={health[key]} />
      ))}
      <CopyId value={device.id} label={t('device.id')} />
    </div>
  );
}

function Trouble({ name, cell }: { name: string; cell: Health }) {
  return (
    <span className={classes.trouble}>
      {name} <HealthCell cell={cell} />
    </span>
  );
}

type Dialog = 'install' | 'rename' | 'quarantine' | 'release' | 'revoke' | 'delete';

/** What may be done with the device; nothing for those who may not. The cloud itself installs its own devices. */
export function DeviceActions({ device }: { device: Device }) {
  const { t } = useTranslation();
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const navigate = useNavigate();
  const wg = useWorkgroup();
  const mayManage = useMayManageDevices();
  if (!mayManage) return null;
  const close = () => setDialog(null);
  const isRevoked = device.notAfter === null;
  return (
    <>
      {device.ced ? null : (
        <Button
          variant="default"
          leftSection={<IconDownload size={16} />}
          onClick={() => setDialog('install')}
          className={classes.wide}
        >
          {t('device.newPack')}
        </Button>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={t('devices.menu', { name: device.name })}>
            <IconChevronDown size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => setDialog('rename')}>
            {t('devices.rename')}
          </Menu.Item>
          {device.ced ? null : (
            <Menu.Item leftSection={<IconDownload size={16} />} onClick={() => setDialog('install')}>
              {t('device.newPack')}
            </Menu.Item>
          )}
          <Menu.Divider />
          <QuarantineItem device={device} onChoose={setDialog} />
          <Menu.Item
            color="var(--al-danger)"
            leftSection={<IconCertificateOff size={16} />}
            disabled={isRevoked}
            title={isRevoked ? t('device.noCertificate') : undefined}
            onClick={() => setDialog('revoke')}
          >
            {t('device.revoke')}
          </Menu.Item>
          <Menu.Item
            color="var(--al-danger)"
            leftSection={<IconTrash size={16} />}
            onClick={() => setDialog('delete')}
          >
            {t('device.delete')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {dialog === 'install' ? <InstallDialog device={device} onClose={close} /> : null}
      {dialog === 'rename' ? <RenameDeviceDialog device={device} onClose={close} /> : null}
      {dialog === 'quarantine' ? <QuarantineDialog device={device} onClose={close} /> : null}
      {dialog === 'release' ? <ReleaseDialog device={device} onClose={close} /> : null}
      {dialog === 'delete' ? (
        <DeleteDeviceDialog
          device={device}
          onClose={() => {
            close();
            void navigate({ to: '/devices' });
          }}
        />
      ) : null}
      {dialog === 'revoke' ? (
        <ConfirmDialog
          confirm={t('device.revoke')}
          onClose={close}
          onConfirm={async () => {
            await revokeCertificate(wg, device.id);
            notifyDone(t('device.revoked', { name: device.name }));
          }}
        >
          <Text size="sm">{t('device.revokeText', { name: device.name })}</Text>
        </ConfirmDialog>
      ) : null}
    </>
  );
}
