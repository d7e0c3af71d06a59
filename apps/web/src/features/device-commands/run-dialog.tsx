import type {
  CommandParameter,
  DeviceCommand,
} from '@albedo/contract/device-commands/device-commands.schema';
import type { Device } from '@albedo/contract/devices/devices.schema';
import { Button, Group, Modal, MultiSelect, Select, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useWorkgroup } from '../../app/session.ts';
import { useSubmit } from '../../app/use-submit.ts';
import { Failure } from '../../ui/failure.tsx';
import { deviceListQuery } from '../devices/devices.queries.ts';
import { runCommand } from './device-commands.queries.ts';

interface RunDialogProps {
  device: Device;
  command: DeviceCommand;
  onBegun: (run: { id: string; name: string; devices: number }) => void;
  onClose: () => void;
}

/** Asks before a command runs, for its values and for the devices. Texts of the specification, document 2, section 5. */
export function RunDialog({ device, command, onBegun, onClose }: RunDialogProps) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { data: all = [] } = useQuery(deviceListQuery(wg));
  const [devices, setDevices] = useState([device.id]);
  const [values, setValues] = useState<Record<string, string>>(() =>
    Object.fromEntries(command.parameters.map((one) => [one.name, one.default])),
  );
  const { isWorking, failure, handleSubmit } = useSubmit(async () => {
    const id = await runCommand(wg, command, { devices, values });
    onBegun({ id, name: command.name, devices: devices.length });
    onClose();
  });
  const [only] = devices;
  const name = all.find(({ id }) => id === only)?.name ?? device.name;
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('deviceCommands.confirm.title')}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <form onSubmit={handleSubmit} noValidate>
        <Stack gap="sm">
          <Text size="sm">
            {devices.length === 1
              ? t('deviceCommands.confirm.body', { command: command.name, device: name })
              : t('deviceCommands.confirm.bodyMany', { command: command.name, count: devices.length })}
          </Text>
          {command.parameters.map((parameter) => (
            <Value
              key={parameter.name}
              parameter={parameter}
              value={values[parameter.name] ?? ''}
              onChange={(value) => setValues({ ...values, [parameter.name]: value })}
            />
          ))}
          {command.device === null ? (
            <MultiSelect
              label={t('deviceCommands.devices')}
              data={all.map(({ id, name: title }) => ({ value: id, label: title }))}
              value={devices}
              searchable
              limit={100}
              onChange={setDevices}
            />
          ) : null}
        </Stack>
        <Failure text={failure} />
        <Group justify="flex-end" mt="lg" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t('actions.cancel')}
          </Button>
          <Button type="submit" loading={isWorking} disabled={devices.length === 0}>
            {t('deviceCommands.confirm.run')}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}

interface ValueProps {
  parameter: CommandParameter;
  value: string;
  onChange: (value: string) => void;
}

function Value({ parameter: { name, description, type, options }, value, onChange }: ValueProps) {
  return type === 'choice' ? (
    <Select
      label={name}
      description={description}
      data={options}
      value={value === '' ? null : value}
      allowDeselect={false}
      onChange={(next) => onChange(next ?? '')}
    />
  ) : (
    <TextInput
      label={name}
      description={description}
      value={value}
      {...(type === 'number' ? { inputMode: 'decimal' as const } : {})}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
