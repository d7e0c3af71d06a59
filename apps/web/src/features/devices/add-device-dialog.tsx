import { type Device, newDevice } from '@albedo/contract/devices/devices.schema';
import { arch } from '@albedo/contract/workgroups/archs';
import { Modal, SegmentedControl, Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { visitorOf } from '../../app/guard.ts';
import { notifyDone } from '../../app/notify.ts';
import { useSignedIn, useWorkgroup } from '../../app/session.ts';
import { useContractForm } from '../../app/use-contract-form.ts';
import { Failure } from '../../ui/failure.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { cedCloudsQuery } from '../cloud-devices/cloud-devices.queries.ts';
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
  const navigate = useNavigate();
  const mayHost = visitorOf(useSignedIn())?.addons.includes('ced') ?? false;
  const { data: clouds = [] } = useQuery({ ...cedCloudsQuery(wg), enabled: mayHost });
  // Null: an edge device.
  const [cloud, setCloud] = useState<string | null>(null);
  const { field, dialog } = useContractForm({
    schema: newDevice.pick({ name: true, arch: true }).required(),
    initial: { name: '', arch: 'amd64' },
    onlyField: 'name',
    send: async ({ name, arch: processor }) => {
      const device = await createDevice(wg, name, processor, cloud);
      if (cloud === null) return onAdded(device);
      notifyDone(t('cloudDevices.created'));
      await navigate({ to: '/devices/$deviceId/$tab', params: { deviceId: device.id, tab: 'general' } });
    },
  });

  return (
    <form noValidate onSubmit={dialog.onSubmit}>
      <p className={classes.guide}>
        <Link to="/commissioning">{t('commissioning.guide')}</Link>
      </p>
      {clouds.length > 0 ? (
        <div className={classes.kind}>
          <SegmentedControl
            fullWidth
            aria-label={t('cloudDevices.kind')}
            data={[
              { value: '', label: t('cloudDevices.edge') },
              { value: clouds[0]?.id ?? '', label: t('cloudDevices.cloud') },
            ]}
            value={cloud ?? ''}
            onChange={(value) => setCloud(value === '' ? null : value)}
          />
          <p className={classes.hint}>
            {t(cloud === null ? 'cloudDevices.edgeText' : 'cloudDevices.cloudText')}
          </p>
        </div>
      ) : null}
      <TextInput
        {...field('name')}
        data-autofocus
        label={t('devices.name')}
        description={t('devices.nameHelp')}
        placeholder={t('devices.nameExample')}
        maxLength={80}
      />
      {cloud === null ? (
        <Select
          {...field('arch')}
          mt="md"
          label={t('devices.processor')}
          description={t('devices.processorHelp')}
          allowDeselect={false}
          data={arch.options.map((value) => ({ value, label: t(`devices.processors.${value}`) }))}
        />
      ) : clouds.length > 1 ? (
        <Select
          mt="md"
          label={t('cloudDevices.where')}
          allowDeselect={false}
          data={clouds.map(({ id, name }) => ({ value: id, label: name }))}
          value={cloud}
          onChange={setCloud}
        />
      ) : null}
      <Failure text={dialog.failure} />
      <FormButtons submit={t('devices.add')} isWorking={dialog.isWorking} onCancel={onClose} />
    </form>
  );
}
