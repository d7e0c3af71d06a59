import type { SettingsOf } from '@albedo/contract/boards/widgets/widgets';
import type { DeviceCommand } from '@albedo/contract/device-commands/device-commands.schema';
import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { IconPlayerPlay, IconStack2 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRights } from '../../../../app/permissions.ts';
import { useAttempt } from '../../../../app/use-submit.ts';
import { Failure } from '../../../../ui/failure.tsx';
import { LevelIcon } from '../../../../ui/status/level-icon.tsx';
import { allCommandsQuery } from '../../../device-commands/device-commands.queries.ts';
import { useBoard } from '../../board-context.ts';
import type { WidgetProps } from '../../widget.ts';
import { WidgetFailure, WidgetNote, WidgetSkeleton } from '../../widget-error.tsx';
import { useDevicesOfRows } from '../devices/use-devices.ts';
import classes from './commands.module.css';
import { type Done, runCommands } from './run-commands.ts';

/** Saved commands of devices as buttons, or all of them as one. */
export function CommandsView(props: WidgetProps<SettingsOf<'commands'>>) {
  const { t } = useTranslation();
  const { isDisplay } = useBoard();
  return isDisplay ? <WidgetNote text={t('boards.notOnDisplays')} /> : <Buttons {...props} />;
}

function Buttons({ settings, title }: WidgetProps<SettingsOf<'commands'>>) {
  const { t } = useTranslation();
  const { wg, isEditing } = useBoard();
  const mayRun = useRights()('commands');
  const devices = useDevicesOfRows(settings.rows, settings.label);
  const { data, error, refetch } = useQuery(allCommandsQuery(wg));
  const [asked, setAsked] = useState<readonly DeviceCommand[] | null>(null);
  const [done, setDone] = useState<readonly Done[]>([]);
  if (settings.commands.length === 0) return <WidgetNote text={t('boards.commands.choose')} />;
  if (error && !data) return <WidgetFailure error={error} onRetry={() => void refetch()} />;
  if (!data) return <WidgetSkeleton />;
  const commands = settings.commands.flatMap((id) => data.find(({ _id }) => _id === id) ?? []);
  if (commands.length === 0) return <WidgetNote text={t('boards.commands.none')} />;
  if (!mayRun) return <WidgetNote text={t('boards.commands.mayNot')} />;
  const isStack = settings.order === 'stack' && commands.length > 1;
  const ids = devices.map(({ deviceId }) => deviceId);
  const isOff = isEditing || (ids.length === 0 && commands.some(({ device }) => device === null));
  return (
    <div className={classes.commands}>
      {isStack ? (
        <Button
          leftSection={<IconStack2 size={16} />}
          disabled={isOff}
          onClick={() => setAsked(commands)}
          title={commands.map(({ name }) => name).join(', ')}
        >
          {title}
        </Button>
      ) : (
        commands.map((one) => (
          <Button
            key={one._id}
            variant="default"
            leftSection={<IconPlayerPlay size={16} />}
            disabled={isOff}
            onClick={() => setAsked([one])}
          >
            {one.name}
          </Button>
        ))
      )}
      {isOff && !isEditing ? <p className={classes.said}>{t('boards.commands.noDevice')}</p> : null}
      <ul className={classes.done} aria-live="polite">
        {done.map(({ command, good, bad }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a command may run twice.
          <li key={at}>
            <LevelIcon mark={bad > 0 ? 'danger' : 'ok'} size={13} />
            {bad > 0
              ? t('boards.commands.failed', { command, count: bad })
              : t('boards.commands.ran', { command, count: good })}
          </li>
        ))}
      </ul>
      {asked ? (
        <Confirm
          wg={wg}
          commands={asked}
          devices={ids}
          onRun={() => setDone([])}
          onDone={(one) => setDone((old) => [...old, one])}
          onClose={() => setAsked(null)}
        />
      ) : null}
    </div>
  );
}

interface ConfirmProps {
  wg: string;
  commands: readonly DeviceCommand[];
  devices: readonly string[];
  onRun: () => void;
  onDone: (done: Done) => void;
  onClose: () => void;
}

/** Asks before anything runs, for the values of its parameters. Title of the specification, document 2, section 5. */
function Confirm({ wg, commands, devices, onRun, onDone, onClose }: ConfirmProps) {
  const { t } = useTranslation();
  const [values, setValues] = useState(() =>
    Object.fromEntries(
      commands.map(({ _id, parameters }) => [
        _id,
        Object.fromEntries(parameters.map((one) => [one.name, one.default])),
      ]),
    ),
  );
  const { attempt, isWorking, failure } = useAttempt();
  const run = () =>
    void attempt(async () => {
      onRun();
      await runCommands(wg, commands, { devices, values }, onDone);
      onClose();
    });
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('deviceCommands.confirm.title')}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <Stack gap="sm">
        <Text size="sm">
          {t('boards.commands.confirm', {
            commands: commands.map(({ name }) => name).join(', '),
            count: devices.length,
          })}
        </Text>
        {commands.flatMap(({ _id, parameters }) =>
          parameters.map(({ name, description }) => (
            <TextInput
              key={`${_id} ${name}`}
              label={name}
              description={description}
              value={values[_id]?.[name] ?? ''}
              onChange={({ currentTarget: { value } }) =>
                setValues((old) => ({ ...old, [_id]: { ...old[_id], [name]: value } }))
              }
            />
          )),
        )}
        <Failure text={failure} />
      </Stack>
      <Group justify="flex-end" mt="lg" gap="xs">
        <Button variant="default" onClick={onClose}>
          {t('actions.cancel')}
        </Button>
        <Button loading={isWorking} onClick={run}>
          {t('deviceCommands.confirm.run')}
        </Button>
      </Group>
    </Modal>
  );
}
