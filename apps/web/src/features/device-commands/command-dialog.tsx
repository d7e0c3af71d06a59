import {
  type CommandParameter,
  type DeviceCommand,
  newDeviceCommand,
  placeholdersOf,
} from '@albedo/contract/device-commands/device-commands.schema';
import type { Device } from '@albedo/contract/devices/devices.schema';
import {
  Checkbox,
  Group,
  NumberInput,
  Select,
  Stack,
  TagsInput,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { notifyDone } from '../../app/notify.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useContractForm } from '../../app/use-contract-form.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import classes from './device-commands.module.css';
import { saveCommand } from './device-commands.queries.ts';

interface CommandDialogProps {
  device: Device;
  /** Null for a new one. */
  command: DeviceCommand | null;
  onClose: () => void;
}

const plain = (name: string): CommandParameter => ({
  name,
  description: '',
  type: 'text',
  default: '',
  options: [],
});

/** A command to save: its line, and one parameter for each word in braces. */
export function CommandDialog({ device, command, onClose }: CommandDialogProps) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { values, set, field, dialog } = useContractForm({
    schema: newDeviceCommand,
    initial: {
      name: command?.name ?? '',
      description: command?.description ?? '',
      command: command?.command ?? '',
      parameters: command?.parameters ?? [],
      timeoutS: command?.timeoutS ?? 15,
      isForAll: command === null || command.device === null,
    },
    send: async (body) => {
      await saveCommand({ wg, device: device.id, id: command?._id ?? null }, body);
      notifyDone(t('deviceCommands.savedOne', { name: body.name }));
      onClose();
    },
  });
  const parameters = values.parameters ?? [];
  // Each word in braces has its row; one that is gone from the line goes with it.
  const takeLine = (line: string) => {
    const known = new Map(parameters.map((one) => [one.name, one]));
    set({ command: line, parameters: placeholdersOf(line).map((name) => known.get(name) ?? plain(name)) });
  };
  const change = (name: string, part: Partial<CommandParameter>) =>
    set({
      parameters: parameters.map((one) => (one.name === name ? { ...plain(name), ...one, ...part } : one)),
    });
  return (
    <FormDialog
      title={t(command ? 'deviceCommands.edit' : 'deviceCommands.new')}
      submit={t('actions.save')}
      {...dialog}
      onClose={onClose}
    >
      <Stack gap="sm">
        <TextInput {...field('name')} label={t('deviceCommands.fields.name')} data-autofocus />
        <TextInput {...field('description')} label={t('deviceCommands.fields.description')} />
        <Textarea
          {...field('command')}
          label={t('deviceCommands.fields.command')}
          description={t('deviceCommands.fields.commandHelp')}
          autosize
          minRows={2}
          maxRows={10}
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          onChange={(event) => takeLine(event.currentTarget.value)}
        />
        {parameters.map(({ name, description = '', type = 'text', default: preset = '', options = [] }) => (
          <fieldset key={name} className={classes.parameter}>
            <legend>
              <code>{`{${name}}`}</code>
            </legend>
            <Group gap="xs" grow align="flex-start">
              <Select
                size="xs"
                label={t('deviceCommands.fields.type')}
                data={(['text', 'number', 'choice'] as const).map((value) => ({
                  value,
                  label: t(`deviceCommands.types.${value}`),
                }))}
                value={type}
                allowDeselect={false}
                onChange={(next) => change(name, { type: next as CommandParameter['type'] })}
              />
              <TextInput
                size="xs"
                label={t('deviceCommands.fields.default')}
                value={preset}
                onChange={(event) => change(name, { default: event.currentTarget.value })}
              />
            </Group>
            <TextInput
              size="xs"
              label={t('deviceCommands.fields.parameterHelp')}
              value={description}
              onChange={(event) => change(name, { description: event.currentTarget.value })}
            />
            {type === 'choice' ? (
              <TagsInput
                size="xs"
                label={t('deviceCommands.fields.options')}
                value={options}
                onChange={(next) => change(name, { options: next })}
              />
            ) : null}
          </fieldset>
        ))}
        <NumberInput {...field('timeoutS')} label={t('deviceCommands.fields.timeout')} min={1} max={3600} />
        <Checkbox
          label={t('deviceCommands.fields.isForAll')}
          checked={values.isForAll ?? true}
          onChange={(event) => set({ isForAll: event.currentTarget.checked })}
        />
        <Text size="xs" c="dimmed">
          {t('deviceCommands.fields.asAgent')}
        </Text>
      </Stack>
    </FormDialog>
  );
}
