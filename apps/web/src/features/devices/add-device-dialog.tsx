import { arch, type Device, newDevice } from '@albedo/contract/devices/devices.schema';
import { Modal, Select, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useWorkgroup } from '../../app/session.ts';
import { useContractForm } from '../../app/use-contract-form.ts';
import { Failure } from '../../ui/failure.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import classes from './devices.module.css';
import { createDevice } from './devices.queries.ts';
import { InstallSteps } from './install-steps.tsx';

/** Adds a device: what it is called and what it runs on, then how the agent gets there. */
export function AddDeviceDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const [device, setDevice] = useState<Device | null>(null);
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={device ? t('install.title', { name: device.name }) : t('devices.add')}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      {device ? (
        <InstallSteps device={device} onClose={onClose} />
      ) : (
        <DeviceForm onAdded={setDevice} onClose={onClose} />
      )}
    </Modal>
  );
}

function DeviceForm({ onAdded, onClose }: { onAdded: (device: Device) => void; onClose: () => void }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { field, dialog } = useContractForm({
    schema: newDevice.pick({ name: true, arch: true }).required(),
    initial: { name: '', arch: 'amd64' },
    onlyField: 'name',
    send: async ({ name, arch: processor }) => onAdded(await createDevice(wg, name, processor)),
  });

  return (
    <form noValidate onSubmit={dialog.onSubmit}>
      <p className={classes.guide}>
        <Link to="/commissioning">{t('commissioning.guide')}</Link>
      </p>
      <TextInput
        {...field('name')}
        data-autofocus
        label={t('devices.name')}
        description={t('devices.nameHelp')}
        placeholder={t('devices.nameExample')}
        maxLength={80}
      />
      <Select
        {...field('arch')}
        mt="md"
        label={t('devices.processor')}
        description={t('devices.processorHelp')}
        allowDeselect={false}
        data={arch.options.map((value) => ({ value, label: t(`devices.processors.${value}`) }))}
      />
      <Failure text={dialog.failure} />
      <FormButtons submit={t('devices.add')} isWorking={dialog.isWorking} onCancel={onClose} />
    </form>
  );
}
