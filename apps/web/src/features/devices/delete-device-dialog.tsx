import type { DeviceSummary } from '@albedo/contract/devices/devices.schema';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../app/confirm-dialog.tsx';
import { confirmText } from '../../app/confirm-text.ts';
import { notifyDone } from '../../app/notify.ts';
import { useWorkgroup } from '../../app/session.ts';
import { removeDevice } from './devices.queries.ts';

/** Asks for the name of the device before it is deleted. */
export function DeleteDeviceDialog({ device, onClose }: { device: DeviceSummary; onClose: () => void }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  return (
    <ConfirmDialog
      confirm={confirmText(t('devices.delete'), device.name)}
      phrase={device.name}
      onClose={onClose}
      onConfirm={async () => {
        await removeDevice(wg, device.id);
        notifyDone(t('devices.deleted', { name: device.name }));
      }}
    >
      {t('devices.deleteText', { name: device.name })}
    </ConfirmDialog>
  );
}
