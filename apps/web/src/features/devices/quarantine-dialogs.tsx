import { type DeviceSummary, quarantineReason } from '@albedo/contract/devices/devices.schema';
import { Text, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { ConfirmDialog } from '../../app/confirm-dialog.tsx';
import { confirmText } from '../../app/confirm-text.ts';
import { notifyDone } from '../../app/notify.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useContractForm } from '../../app/use-contract-form.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { quarantineDevice, releaseDevice } from './devices.queries.ts';

interface QuarantineDialogProps {
  device: DeviceSummary;
  onClose: () => void;
}

const form = z.object({ reason: quarantineReason });

/** Cuts a device off until somebody releases it, and says why. */
export function QuarantineDialog({ device, onClose }: QuarantineDialogProps) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { name } = device;
  const { field, dialog } = useContractForm({
    schema: form,
    initial: { reason: '' },
    send: async ({ reason }) => {
      await quarantineDevice(wg, device.id, reason);
      onClose();
      notifyDone(t('devices.quarantined', { name }));
    },
  });
  return (
    <FormDialog
      {...dialog}
      title={t('devices.quarantineTitle', { name })}
      submit={t('devices.quarantineDo')}
      onClose={onClose}
    >
      <Text size="sm">{t('devices.quarantineText', { name })}</Text>
      <TextInput
        {...field('reason')}
        data-autofocus
        label={t('devices.quarantineReason')}
        placeholder={t('devices.quarantineExample')}
        maxLength={200}
      />
    </FormDialog>
  );
}

/** Lets the device connect again. */
export function ReleaseDialog({ device, onClose }: QuarantineDialogProps) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { name } = device;
  return (
    <ConfirmDialog
      isHarmless
      confirm={confirmText(t('devices.release'), name)}
      onClose={onClose}
      onConfirm={async () => {
        await releaseDevice(wg, device.id);
        notifyDone(t('devices.released', { name }));
      }}
    >
      {t('devices.releaseText', { name })}
    </ConfirmDialog>
  );
}
