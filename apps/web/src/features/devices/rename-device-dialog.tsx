import { type DeviceSummary, deviceName } from '@albedo/contract/devices/devices.schema';
import { useTranslation } from 'react-i18next';
import { NameDialog } from '../../app/name-dialog.tsx';
import { useWorkgroup } from '../../app/session.ts';
import { renameDevice } from './devices.queries.ts';

export function RenameDeviceDialog({ device, onClose }: { device: DeviceSummary; onClose: () => void }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  return (
    <NameDialog
      title={t('devices.rename')}
      label={t('devices.name')}
      name={device.name}
      schema={deviceName}
      onSave={(name) => renameDevice(wg, device.id, name)}
      onClose={onClose}
    />
  );
}
