import { type Arch, arch, type Device, deviceName } from '@albedo/contract/devices/devices.schema';
import { Button, Group, Modal, Select, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { messageOf } from '../../app/notify.ts';
import { useWorkgroup } from '../../app/session.ts';
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
  const [failure, setFailure] = useState<string | null>(null);
  const [isWorking, setWorking] = useState(false);

  async function handleSubmit(event: FormEvent) {
    event.preventDefault();
    const parsed = deviceName.safeParse(name);
    if (!parsed.success) return setFailure(parsed.error.issues[0]?.message ?? t('devices.nameNeeded'));
    setWorking(true);
    try {
      onAdded(await createDevice(wg, parsed.data, processor));
    } catch (error) {
      setFailure(messageOf(error));
      setWorking(false);
    }
  }

  return (
    <form onSubmit={(event) => void handleSubmit(event)}>
      <TextInput
        data-autofocus
        label={t('devices.name')}
        description={t('devices.nameHelp')}
        placeholder={t('devices.nameExample')}
        value={name}
        error={failure}
        maxLength={80}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Select
        mt="md"
        label={t('devices.processor')}
        description={t('devices.processorHelp')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        allowDeselect={false}
        value={processor}
        data={arch.options.map((value) => ({ value, label: t(`devices.processors.${value}`) }))}
        onChange={(value) => value && setProcessor(value as Arch)}
      />
      <Group justify="flex-end" mt="lg" gap="xs">
        <Button variant="default" onClick={onClose}>
          {t('actions.cancel')}
        </Button>
        <Button type="submit" loading={isWorking}>
          {t('devices.add')}
        </Button>
      </Group>
    </form>
  );
}
