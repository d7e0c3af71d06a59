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
import { notifyDone } from '../../app/notify.ts';
import { useNow } from '../../app/now.ts';
import { useWorkgroup } from '../../app/session.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { CopyId } from '../../ui/copy-id.tsx';
import { HealthCell } from '../../ui/status/health-cell.tsx';
import { StatusDot } from '../../ui/status/status-dot.tsx';
import { formatLongDuration } from '../../ui/units/durations.ts';
import { DeleteDeviceDialog } from './delete-device-dialog.tsx';
import { revokeCertificate, useMayManageDevices } from './device.queries.ts';
import classes from './device-header.module.css';
import { InstallDialog } from './install-dialog.tsx';
import { RenameDeviceDialog } from './rename-device-dialog.tsx';

/** What is said of a metric that is not fine, in the order of the list. */
const METRICS = [
  ['cloudLastData', 'Last data'],
  ['statusSourceData', 'Sources'],
  ['clockAccuracy', 'Clock'],
  ['cpuUsage', 'CPU'],
  ['memUsage', 'Memory'],
  ['diskUsage', 'Disk'],
  ['cpuTemp', 'CPU temperature'],
  ['osVersion', 'System'],
] as const;

/** Whether the device is there, since when, and what of its health needs a look. */
export function DeviceContext({ device }: { device: Device }) {
  const now = useNow(1000);
  const { facts } = device;
  const health = buildHealth(device, now);
  const troubles = facts.online
    ? METRICS.filter(([key]) => health[key].class !== 'ok' && health[key].raw !== null)
    : [];
  const since = facts.stateChangedAt === null ? null : formatLongDuration(now - facts.stateChangedAt);
  return (
    <div className={classes.context}>
      <StatusDot isOnline={facts.online} label={facts.online ? 'Online' : 'Offline'} />
      {since === null ? null : <span>for {since}</span>}
      {troubles.length === 0 && facts.online ? <span>All values within their limits</span> : null}
      {troubles.map(([key, name]) => (
        <Trouble key={key} name={name} cell={health[key]} />
      ))}
      <CopyId value={device.id} label="device id" />
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

type Dialog = 'install' | 'rename' | 'revoke' | 'delete';

/** What may be done with the device; nothing for those who may not. */
export function DeviceActions({ device }: { device: Device }) {
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const navigate = useNavigate();
  const wg = useWorkgroup();
  const mayManage = useMayManageDevices();
  if (!mayManage) return null;
  const close = () => setDialog(null);
  const isRevoked = device.notAfter === null;
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconDownload size={16} />}
        onClick={() => setDialog('install')}
        className={classes.wide}
      >
        New agent pack
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={`Actions for ${device.name}`}>
            <IconChevronDown size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => setDialog('rename')}>
            Rename
          </Menu.Item>
          <Menu.Item leftSection={<IconDownload size={16} />} onClick={() => setDialog('install')}>
            New agent pack
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item
            color="var(--al-danger)"
            leftSection={<IconCertificateOff size={16} />}
            disabled={isRevoked}
            title={isRevoked ? 'The device has no certificate.' : undefined}
            onClick={() => setDialog('revoke')}
          >
            Revoke certificate
          </Menu.Item>
          <Menu.Item
            color="var(--al-danger)"
            leftSection={<IconTrash size={16} />}
            onClick={() => setDialog('delete')}
          >
            Delete device
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {dialog === 'install' ? <InstallDialog device={device} onClose={close} /> : null}
      {dialog === 'rename' ? <RenameDeviceDialog device={device} onClose={close} /> : null}
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
          onClose={close}
          onConfirm={async () => {
            await revokeCertificate(wg, device.id);
            notifyDone(`The certificate of ${device.name} is revoked.`);
          }}
        >
          <Text size="sm">
            {device.name} is disconnected at once and cannot come back with its present certificate. Until a
            new agent pack is installed it keeps what it captures in its outbox.
          </Text>
        </ConfirmDialog>
      ) : null}
    </>
  );
}
