import { type Arch, arch, type Device, deviceName } from '@albedo/contract/devices/devices.schema';
import { Modal, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { checked } from '../../app/faults.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useSubmit } from '../../app/use-submit.ts';
import { Failure } from '../../ui/failure.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
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
  const [name, setName] = useState('');
  const [processor, setProcessor] = useState<Arch>('amd64');

  const { isWorking, fault, trouble, handleSubmit } = useSubmit(async () => {
    onAdded(await createDevice(wg, checked(deviceName, name), processor));
  });

  return (
    <form onSubmit={handleSubmit}>
      <TextInput
        data-autofocus
        label={t('devices.name')}
        description={t('devices.nameHelp')}
        placeholder={t('devices.nameExample')}
        value={name}
        error={fault}
        maxLength={80}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Select
        mt="md"
        label={t('devices.processor')}
        description={t('devices.processorHelp')}
        allowDeselect={false}
        value={processor}
        data={arch.options.map((value) => ({ value, label: t(`devices.processors.${value}`) }))}
        onChange={(value) => value && setProcessor(value as Arch)}
      />
      <Failure text={trouble} />
      <FormButtons submit={t('devices.add')} isWorking={isWorking} onCancel={onClose} />
    </form>
  );
}
