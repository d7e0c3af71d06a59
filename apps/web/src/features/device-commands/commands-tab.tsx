import type { DeviceCommand } from '@albedo/contract/device-commands/device-commands.schema';
import type { Device } from '@albedo/contract/devices/devices.schema';
import { ActionIcon, Button, Table, Text, TextInput } from '@mantine/core';
import { IconPencil, IconPlayerPlay, IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../app/confirm-dialog.tsx';
import { usePermission } from '../../app/permissions.ts';
import { useWorkgroup } from '../../app/session.ts';
import type { ActionReply } from '../../app/socket.ts';
import { useSubmit } from '../../app/use-submit.ts';
import { Failure } from '../../ui/failure.tsx';
import { Section } from '../../ui/section.tsx';
import { EmptyState, ErrorState, TableSkeleton } from '../../ui/states.tsx';
import { CommandDialog } from './command-dialog.tsx';
import classes from './device-commands.module.css';
import { commandsQuery, removeCommand, runLine } from './device-commands.queries.ts';
import { RunDialog } from './run-dialog.tsx';
import { RunResults, WholeOutputs } from './run-results.tsx';

type Dialog =
  | { kind: 'run' | 'remove'; command: DeviceCommand }
  | { kind: 'edit'; command: DeviceCommand | null };

/** Saved commands, what came of the last run, and a line of one's own. */
export function CommandsTab({ device }: { device: Device }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const mayManage = usePermission('controlDevices');
  const { data, error, refetch } = useQuery(commandsQuery(wg, device.id));
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const [run, setRun] = useState<{ id: string; name: string; devices: number } | null>(null);
  const close = () => setDialog(null);
  if (error)
    return <ErrorState title={t('deviceCommands.failed')} error={error} onRetry={() => void refetch()} />;
  if (!data) return <TableSkeleton rows={8} />;
  return (
    <div className={classes.stack}>
      <Section
        title={t('deviceCommands.saved')}
        isFlush={data.length > 0}
        actions={
          mayManage ? (
            <Button
              size="xs"
              variant="default"
              leftSection={<IconPlus size={14} />}
              onClick={() => setDialog({ kind: 'edit', command: null })}
            >
              {t('deviceCommands.new')}
            </Button>
          ) : null
        }
      >
        {data.length === 0 ? (
          <EmptyState title={t('deviceCommands.empty')} text={t('deviceCommands.emptyText')} />
        ) : (
          <Table verticalSpacing={8} horizontalSpacing="md">
            <Table.Tbody>
              {data.map((command) => (
                <Table.Tr key={command._id}>
                  <Table.Td>
                    <Text size="sm" fw={600}>
                      {command.name}
                      {command.device === null ? (
                        <Text span size="xs" c="dimmed" fw={400} ml={8}>
                          {t('deviceCommands.all')}
                        </Text>
                      ) : null}
                    </Text>
                    {command.description ? (
                      <Text size="xs" c="dimmed">
                        {command.description}
                      </Text>
                    ) : null}
                    <code className={classes.line}>{command.command}</code>
                  </Table.Td>
                  <Table.Td className={classes.actions}>
                    <Button
                      size="compact-sm"
                      variant="default"
                      leftSection={<IconPlayerPlay size={14} />}
                      onClick={() => setDialog({ kind: 'run', command })}
                    >
                      {t('deviceCommands.run')}
                    </Button>
                    {mayManage ? (
                      <>
                        <ActionIcon
                          variant="subtle"
                          color="gray"
                          aria-label={t('deviceCommands.editOf', { name: command.name })}
                          onClick={() => setDialog({ kind: 'edit', command })}
                        >
                          <IconPencil size={16} />
                        </ActionIcon>
                        <ActionIcon
                          variant="subtle"
                          color="gray"
                          aria-label={t('deviceCommands.removeOf', { name: command.name })}
                          onClick={() => setDialog({ kind: 'remove', command })}
                        >
                          <IconTrash size={16} />
                        </ActionIcon>
                      </>
                    ) : null}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        )}
      </Section>
      {run ? <RunResults key={run.id} run={run} onClose={() => setRun(null)} /> : null}
      <OwnLine device={device} />
      {dialog?.kind === 'run' ? (
        <RunDialog device={device} command={dialog.command} onBegun={setRun} onClose={close} />
      ) : null}
      {dialog?.kind === 'edit' ? (
        <CommandDialog device={device} command={dialog.command} onClose={close} />
      ) : null}
      {dialog?.kind === 'remove' ? (
        <ConfirmDialog
          confirm={t('actions.delete')}
          onConfirm={() => removeCommand(wg, device.id, dialog.command)}
          onClose={close}
        >
          {t('deviceCommands.removeText', { name: dialog.command.name })}
        </ConfirmDialog>
      ) : null}
    </div>
  );
}

/** A device says at the end how much it left out. */
const isCut = (text: string): boolean => /\[cut: \d+ more (bytes|characters)\]\s*$/.test(text);

interface Said {
  line: string;
  result: ActionReply<'device:cmd'>;
}

/** A shell command of one's own, with what it printed. */
function OwnLine({ device }: { device: Device }) {
  const { t } = useTranslation();
  const [line, setLine] = useState('');
  const [said, setSaid] = useState<Said[]>([]);
  const { isWorking, failure, handleSubmit } = useSubmit(async () => {
    if (line.trim() === '') return;
    const result = await runLine(device.id, line);
    setSaid((before) => [{ line, result }, ...before].slice(0, 20));
    setLine('');
  });
  return (
    <Section title={t('deviceCommands.own')} context={t('deviceCommands.ownContext')}>
      <form onSubmit={handleSubmit} className={classes.own}>
        <TextInput
          className={classes.input}
          aria-label={t('deviceCommands.line')}
          placeholder={t('deviceCommands.line')}
          value={line}
          disabled={!device.facts.online}
          autoComplete="off"
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          onChange={(event) => setLine(event.currentTarget.value)}
        />
        <Button type="submit" loading={isWorking} disabled={!device.facts.online}>
          {t('deviceCommands.run')}
        </Button>
      </form>
      <Failure text={device.facts.online ? failure : t('deviceCommands.offline')} />
      {said.map(({ line: was, result }) => (
        <div key={result.correlationId} className={classes.said}>
          <code>{`$ ${was}`}</code>
          {result.stdout ? <pre>{result.stdout}</pre> : null}
          {result.stderr ? <pre data-is-error>{result.stderr}</pre> : null}
          <WholeOutputs
            device={device.id}
            stdoutFile={isCut(result.stdout) ? result.stdoutFile : null}
            stderrFile={isCut(result.stderr) ? result.stderrFile : null}
          />
          <Text size="xs" c="dimmed">
            {result.error ??
              t(result.killed ? 'deviceCommands.killed' : 'deviceCommands.code', { code: result.returnCode })}
          </Text>
        </div>
      ))}
    </Section>
  );
}
