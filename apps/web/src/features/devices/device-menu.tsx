import type { DeviceSummary } from '@albedo/contract/devices/devices.schema';
import { Menu } from '@mantine/core';
import { IconDownload, IconPencil, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DeleteDeviceDialog } from './delete-device-dialog.tsx';
import classes from './devices.module.css';
import { InstallDialog } from './install-dialog.tsx';
import { RenameDeviceDialog } from './rename-device-dialog.tsx';

type Dialog = 'install' | 'rename' | 'delete';

/**
 * What can be done with a device of the list. Until it is pressed it is one plain button: thousands of menus would
 * make the list heavy.
 */
export function DeviceMenu({ device }: { device: DeviceSummary }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const close = () => setDialog(null);
  const button = (
    <button
      type="button"
      className={classes.more}
      tabIndex={-1}
      aria-label={t('devices.menu', { name: device.name })}
      aria-haspopup="menu"
      onClick={() => setOpen(true)}
    >
      ···
    </button>
  );
  return (
    <>
      {isOpen ? (
        <Menu opened onChange={setOpen} position="bottom-end">
          <Menu.Target>{button}</Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<IconDownload size={16} />} onClick={() => setDialog('install')}>
              {t('devices.install')}
            </Menu.Item>
            <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => setDialog('rename')}>
              {t('devices.rename')}
            </Menu.Item>
            <Menu.Item
              color="var(--al-danger)"
              leftSection={<IconTrash size={16} />}
              onClick={() => setDialog('delete')}
            >
              {t('devices.delete')}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      ) : (
        button
      )}
      {dialog === 'install' ? <InstallDialog device={device} onClose={close} /> : null}
      {dialog === 'rename' ? <RenameDeviceDialog device={device} onClose={close} /> : null}
      {dialog === 'delete' ? <DeleteDeviceDialog device={device} onClose={close} /> : null}
    </>
  );
}
