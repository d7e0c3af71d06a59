import type { Device } from '@albedo/contract/devices/devices.schema';
import { type PluginDetail, type PluginState, RUN_INTERVALS } from '@albedo/contract/plugins/plugins.schema';
import { ActionIcon, Badge, Button, Group, Table, Text } from '@mantine/core';
import { IconFileText, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../app/confirm-dialog.tsx';
import { useWorkgroup } from '../../app/session.ts';
import { useSearchChange } from '../../ui/data-table/use-table-address.ts';
import { Failure } from '../../ui/failure.tsx';
import { Section } from '../../ui/section.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { formatDuration } from '../../ui/units/durations.ts';
import { ActivityDialog } from './activity-dialog.tsx';
import { NO_FOUND_SERVICE, useFoundService } from './found-service.ts';
import { LogsDialog } from './logs-dialog.tsx';
import { titleIn } from './plugin-title.ts';
import classes from './plugins.module.css';
import {
  activitiesOf,
  activityId,
  marksQuery,
  type PresentActivity,
  removeActivity,
  switchActivity,
} from './plugins.queries.ts';

interface ActivityListProps {
  device: Device;
  state: PluginState;
  offered: readonly PluginDetail[];
}

type Dialog =
  | { kind: 'edit' | 'logs' | 'remove'; one: PresentActivity }
  | { kind: 'new'; type: 'service' | 'task' };

/** The tasks and services of plugins on a device, as they are now. */
export function ActivityList({ device, state, offered }: ActivityListProps) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const found = useFoundService();
  const change = useSearchChange();
  const [dialog, setDialog] = useState<Dialog | null>(found ? { kind: 'new', type: 'service' } : null);
  const [shownAfter, setShownAfter] = useState<string | null>(null);
  const { data: marks = {} } = useQuery(marksQuery({ wg, device: device.id }));
  const activities = activitiesOf(state);
  const on = { wg, device: device.id };
  const close = () => {
    setDialog(null);
    setShownAfter(null);
    if (found) change(NO_FOUND_SERVICE, { isStep: false });
  };
  const able = offered.filter(
    ({ name, spec }) => spec.service && state.plugins.some((one) => one.name === name),
  );
  const lacks = found !== null && !able.some(({ name }) => name === found.plugin);
  // Whoever comes from a scan sees the first rows arrive.
  const begun = activities.find(({ name }) => name === shownAfter);
  return (
    <Section
      title={t('plugins.serviceList')}
      isFlush={activities.length > 0}
      actions={
        <Group gap={8}>
          {(['service', 'task'] as const).map((type) => (
            <Button
              key={type}
              size="xs"
              variant="default"
              leftSection={<IconPlus size={14} />}
              disabled={able.length === 0}
              onClick={() => setDialog({ kind: 'new', type })}
            >
              {t(`plugins.${type}.new`)}
            </Button>
          ))}
        </Group>
      }
    >
      {activities.length === 0 ? (
        <EmptyState title={t('plugins.noServices')} text={t('plugins.noServicesText')} />
      ) : (
        <Table verticalSpacing={8} horizontalSpacing="md">
          <Table.Tbody>
            {activities.map((one) => (
              <ActivityRow
                key={activityId(one)}
                one={one}
                title={titleIn(offered, one.plugin)}
                isOrphan={!state.plugins.some(({ name }) => name === one.plugin)}
                mark={marks[activityId(one)]}
                onSwitch={() => void switchActivity(on, one).catch(SHOWN_IN_ITS_ROW)}
                onOpen={(kind) => setDialog({ kind, one })}
              />
            ))}
          </Table.Tbody>
        </Table>
      )}
      {lacks ? (
        <Text role="status" className={classes.hint ?? ''} size="sm">
          {t('plugins.service.installFirst', { name: titleIn(offered, found.plugin) })}
        </Text>
      ) : null}
      {!lacks && (dialog?.kind === 'new' || dialog?.kind === 'edit') ? (
        <ActivityDialog
          on={on}
          root={state.root}
          offered={able}
          activity={dialog.kind === 'edit' ? dialog.one : null}
          type={dialog.kind === 'new' ? dialog.type : dialog.one.type}
          beginWith={found}
          onSaved={(name) => found && setShownAfter(name)}
          onClose={close}
        />
      ) : null}
      {begun ? <LogsDialog on={on} activity={begun} onClose={close} /> : null}
      {dialog?.kind === 'logs' ? <LogsDialog on={on} activity={dialog.one} onClose={close} /> : null}
      {dialog?.kind === 'remove' ? (
        <ConfirmDialog
          confirm={t('plugins.removeOf', { name: dialog.one.name })}
          onConfirm={() => removeActivity(on, dialog.one)}
          onClose={close}
        >
          {t(`plugins.${dialog.one.type}.removeAsk`, { name: dialog.one.name })}
        </ConfirmDialog>
      ) : null}
    </Section>
  );
}

interface ActivityRowProps {
  one: PresentActivity;
  /** Of its plugin. */
  title: string;
  /** Its plugin is not on the device, as after a restore. */
  isOrphan: boolean;
  mark: 'working' | { failure: string } | undefined;
  onSwitch: () => void;
  onOpen: (kind: 'logs' | 'edit' | 'remove') => void;
}

function ActivityRow({ one, title, isOrphan, mark, onSwitch, onOpen }: ActivityRowProps) {
  const { t } = useTranslation();
  const isWorking = mark === 'working';
  const isByHand = one.type === 'task' && one.arguments === null;
  const { id, color } = isWorking ? SAVING : mark ? FAILED : stateOf(one);
  const every = one.type === 'task' ? formatDuration(RUN_INTERVALS[one.frequency] * 1000) : null;
  const facts = [
    isOrphan ? t('plugins.orphan', { name: title }) : title,
    t(`plugins.${one.type}.one`),
    ...(every ? [t('plugins.task.every', { every })] : []),
  ];
  return (
    <Table.Tr className={classes.row ?? ''}>
      <Table.Td>
        <Text size="sm" fw={600}>
          {one.name}
        </Text>
        <Text size="xs" c="dimmed">
          {facts.join(' · ')}
        </Text>
        {isByHand ? (
          <Text size="xs" c="dimmed">
            {t('plugins.task.byHand')}
          </Text>
        ) : null}
        {isWorking ? null : <Failure text={mark?.failure ?? null} />}
      </Table.Td>
      <Table.Td className={classes.state}>
        <Badge tt="none" variant="light" color={color}>
          {t(`plugins.states.${id}`)}
        </Badge>
      </Table.Td>
      <Table.Td className={classes.actions}>
        <Button size="compact-sm" variant="default" disabled={isWorking} onClick={onSwitch}>
          {t(one.isDisabled ? 'plugins.enable' : 'plugins.disable')}
        </Button>
        {(
          [
            ['logs', IconFileText],
            ['edit', IconPencil],
            ['remove', IconTrash],
          ] as const
        ).map(([kind, Icon]) => (
          <ActionIcon
            key={kind}
            variant="subtle"
            color="gray"
            disabled={isWorking || (kind === 'edit' && isByHand)}
            aria-label={t(`plugins.${kind}Of`, { name: one.name })}
            onClick={() => onOpen(kind)}
          >
            <Icon size={16} />
          </ActionIcon>
        ))}
      </Table.Td>
    </Table.Tr>
  );
}

const SAVING = { id: 'saving', color: 'blue' } as const;
const FAILED = { id: 'failed', color: 'red' } as const;
/** Its mark says what went wrong. */
const SHOWN_IN_ITS_ROW = () => {};

const stateOf = (one: PresentActivity) => {
  if (one.isDisabled) return { id: 'disabled', color: 'gray' } as const;
  if (one.type === 'task') return { id: 'scheduled', color: 'green' } as const;
  return one.isRunning
    ? ({ id: 'running', color: 'green' } as const)
    : ({ id: 'stopped', color: 'red' } as const);
};
