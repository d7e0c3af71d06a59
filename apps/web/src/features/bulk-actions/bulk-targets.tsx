import type { BulkTargetState } from '@albedo/contract/bulk-actions/bulk-actions.schema';
import { Button, Group, Table } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../app/confirm-dialog.tsx';
import { useWorkgroup } from '../../app/session.ts';
import { useAttempt } from '../../app/use-submit.ts';
import { Failure } from '../../ui/failure.tsx';
import { Section } from '../../ui/section.tsx';
import { LevelIcon, type Mark } from '../../ui/status/level-icon.tsx';
import { deviceListQuery } from '../devices/devices.queries.ts';
import { titleOf } from './action-title.ts';
import classes from './bulk-actions.module.css';
import { bulkActionQuery, steer } from './bulk-actions.queries.ts';
import { BulkProgress } from './bulk-progress.tsx';

const MARKS: Record<BulkTargetState, Mark> = {
  waiting: 'waiting',
  queued: 'offline',
  working: 'waiting',
  done: 'ok',
  failed: 'danger',
  cancelled: 'unknown',
};

/** One bulk action device by device, and the way to hold, go on with or end it. */
export function BulkTargets({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { data: action } = useQuery(bulkActionQuery(wg, id));
  const { data: devices = [] } = useQuery(deviceListQuery(wg));
  const [isEnding, setEnding] = useState(false);
  const { isWorking, failure, attempt } = useAttempt();
  if (!action) return null;
  const names = new Map(devices.map((one) => [one.id, one.name]));
  const { state, stop } = action;
  const isOpen = state === 'running' || state === 'paused' || state === 'stopped';
  const handle = (how: 'pause' | 'resume') => void attempt(() => steer(wg, action, how));
  return (
    <Section
      title={titleOf(action)}
      context={t(`bulkActions.states.${state}`)}
      isFlush
      actions={
        <Group gap="xs">
          {state === 'running' ? (
            <Button size="xs" variant="default" loading={isWorking} onClick={() => handle('pause')}>
              {t('bulkActions.pause')}
            </Button>
          ) : null}
          {state === 'paused' || state === 'stopped' ? (
            <Button size="xs" variant="default" loading={isWorking} onClick={() => handle('resume')}>
              {t('bulkActions.resume')}
            </Button>
          ) : null}
          {isOpen ? (
            <Button size="xs" variant="default" onClick={() => setEnding(true)}>
              {t('bulkActions.cancel')}
            </Button>
          ) : null}
          <Button size="xs" variant="subtle" onClick={onClose}>
            {t('actions.close')}
          </Button>
        </Group>
      }
    >
      <div className={classes.words}>
        <BulkProgress action={action} />
        <Failure text={failure ?? (stop ? t(`bulkActions.stops.${stop.gate}`, { ...stop }) : null)} />
      </div>
      <Table.ScrollContainer minWidth={520} type="native">
        <Table verticalSpacing={8} horizontalSpacing="md">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('bulkActions.columns.device')}</Table.Th>
              <Table.Th>{t('bulkActions.columns.wave')}</Table.Th>
              <Table.Th>{t('bulkActions.columns.state')}</Table.Th>
              <Table.Th>{t('bulkActions.columns.message')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {action.targets.map((target) => (
              <Table.Tr key={target.deviceId}>
                <Table.Td>{names.get(target.deviceId) ?? target.deviceId}</Table.Td>
                <Table.Td>{target.wave}</Table.Td>
                <Table.Td className={classes.state}>
                  <LevelIcon mark={MARKS[target.state]} />
                  {t(`bulkActions.targetStates.${target.state}`)}
                </Table.Td>
                <Table.Td>
                  <pre className={classes.text}>{target.message}</pre>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {isEnding ? (
        <ConfirmDialog
          confirm={t('bulkActions.cancel')}
          onConfirm={() => steer(wg, action, 'cancel')}
          onClose={() => setEnding(false)}
        >
          {t('bulkActions.cancelText')}
        </ConfirmDialog>
      ) : null}
    </Section>
  );
}
