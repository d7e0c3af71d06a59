import type { DeviceSummary } from '@albedo/contract/devices/devices.schema';
import { Menu } from '@mantine/core';
import { IconDownload, IconLock, IconLockOpen, IconPencil, IconTrash } from '@tabler/icons-react';
import { useCallback, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '../../ui/row-menu.module.css';

export type DeviceAction = 'install' | 'rename' | 'quarantine' | 'release' | 'delete';

interface DeviceMenuProps {
  device: DeviceSummary;
  /** Name of the button. */
  label: string;
  onAction: (action: DeviceAction, device: DeviceSummary) => void;
}

/**
 * What can be done with a device of the list. Until it is pressed it is one plain button: thousands of menus would
 * make the list heavy.
 */
export function DeviceMenu({ device, label, onAction }: DeviceMenuProps) {
  const [isOpen, setOpen] = useState(false);
  // The plain button is another one than the one with a menu: what closes without an action gives the focus to it.
  const isClosing = useRef(false);
  const takeButton = useCallback((element: HTMLButtonElement | null) => {
    if (element && isClosing.current) element.focus({ preventScroll: true });
    isClosing.current = false;
  }, []);
  const close = () => {
    isClosing.current = true;
    setOpen(false);
  };
  const button = (
    <button
      type="button"
      className={classes.more}
      tabIndex={-1}
      aria-label={label}
      aria-haspopup="menu"
      {...(isOpen ? {} : { ref: takeButton })}
      onClick={() => setOpen(true)}
    >
      ···
    </button>
  );
  if (!isOpen) return button;
  return (
    <Menu opened onChange={(is) => (is ? setOpen(true) : close())} position="bottom-end" returnFocus>
      <Menu.Target>{button}</Menu.Target>
      <Actions device={device} onAction={onAction} />
    </Menu>
  );
}

function Actions({ device, onAction }: Pick<DeviceMenuProps, 'device' | 'onAction'>) {
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
