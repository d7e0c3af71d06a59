import { type DeviceSummary, deviceName } from '@albedo/contract/devices/devices.schema';
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { checked } from '../../app/faults.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useSubmit } from '../../app/use-submit.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { renameDevice } from './devices.queries.ts';

export function RenameDeviceDialog({ device, onClose }: { device: DeviceSummary; onClose: () => void }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const [name, setName] = useState(device.name);

  const { isWorking, fault, trouble, handleSubmit } = useSubmit(async () => {
    await renameDevice(wg, device.id, checked(deviceName, name));
    onClose();
  });

  return (
    <FormDialog
      title={t('devices.rename')}
      isWorking={isWorking}
      failure={trouble}
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      <TextInput
        data-autofocus
        label={t('devices.name')}
        value={name}
        error={fault}
        maxLength={80}
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
