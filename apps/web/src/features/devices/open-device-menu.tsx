import type { DeviceSummary } from '@albedo/contract/devices/devices.schema';
import { Menu } from '@mantine/core';
import { IconDownload, IconLock, IconLockOpen, IconPencil, IconTrash } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { DeviceAction } from './device-action.ts';

interface OpenDeviceMenuProps {
  button: ReactElement;
  device: DeviceSummary;
  onAction: (action: DeviceAction, device: DeviceSummary) => void;
  onClose: () => void;
}

/** The menu of a device of the list while it is open. */
export function OpenDeviceMenu({ button, device, onAction, onClose }: OpenDeviceMenuProps) {
  return (
    <Menu opened onChange={(is) => (is ? undefined : onClose())} position="bottom-end" returnFocus>
      <Menu.Target>{button}</Menu.Target>
      <Actions device={device} onAction={onAction} />
    </Menu>
  );
}

function Actions({ device, onAction }: Pick<OpenDeviceMenuProps, 'device' | 'onAction'>) {
  const { t } = useTranslation();
  return (
    <Menu.Dropdown>
      {device.ced ? null : (
        <Menu.Item leftSection={<IconDownload size={16} />} onClick={() => onAction('install', device)}>
          {t('devices.install')}
        </Menu.Item>
      )}
      <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => onAction('rename', device)}>
        {t('devices.rename')}
      </Menu.Item>
      <QuarantineItem device={device} onChoose={(action) => onAction(action, device)} />
      <Menu.Item
        color="var(--al-danger)"
        leftSection={<IconTrash size={16} />}
        onClick={() => onAction('delete', device)}
      >
        {t('devices.delete')}
      </Menu.Item>
    </Menu.Dropdown>
  );
}

/** Keeps the device out, or lets it in again. */
export function QuarantineItem({
  device,
  onChoose,
}: {
  device: DeviceSummary;
  onChoose: (action: 'quarantine' | 'release') => void;
}) {
  const { t } = useTranslation();
  const action = device.quarantine ? 'release' : 'quarantine';
  const Icon = device.quarantine ? IconLockOpen : IconLock;
  return (
    <Menu.Item leftSection={<Icon size={16} />} onClick={() => onChoose(action)}>
      {t(`devices.${action}`)}
    </Menu.Item>
  );
}
