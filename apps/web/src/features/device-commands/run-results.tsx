import type { CommandOutcome } from '@albedo/contract/device-commands/device-commands.schema';
import { Button, Progress, Table } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useWorkgroup } from '../../app/session.ts';
import { useAttempt } from '../../app/use-submit.ts';
import { Failure } from '../../ui/failure.tsx';
import { Section } from '../../ui/section.tsx';
import { LevelIcon, type Mark } from '../../ui/status/level-icon.tsx';
import { fetchFile } from '../device-files/device-files.queries.ts';
import { deviceListQuery } from '../devices/devices.queries.ts';
import { cancelLongAction } from '../long-actions/long-actions.queries.ts';
import classes from './device-commands.module.css';
import { runQuery } from './device-commands.queries.ts';

const MARKS: Record<CommandOutcome['state'], Mark> = {
  waiting: 'waiting',
  running: 'waiting',
  done: 'ok',
  failed: 'danger',
  offline: 'offline',
  unknown: 'unknown',
};

interface RunResultsProps {
  run: { id: string; name: string; devices: number };
  onClose: () => void;
}

/** What came of a run, device by device, while it goes on and afterwards. */
export function RunResults({ run, onClose }: RunResultsProps) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { data = [] } = useQuery(runQuery(wg, run.id, run.devices));
  const { data: devices = [] } = useQuery(deviceListQuery(wg));
  const names = new Map(devices.map(({ id, name }) => [id, name]));
  const over = data.filter(({ state }) => state !== 'waiting' && state !== 'running').length;
  const isOver = data.length > 0 && over >= run.devices;
  const rows = data.toSorted((a, b) =>
    (names.get(a.deviceId) ?? '').localeCompare(names.get(b.deviceId) ?? ''),
  );
  return (
    <Section
      title={run.name}
      context={t('deviceCommands.over', { over, count: run.devices })}
      isFlush
      actions={
        isOver ? (
          <Button size="xs" variant="subtle" onClick={onClose}>
            {t('actions.close')}
          </Button>
        ) : (
          <Button size="xs" variant="default" onClick={() => void cancelLongAction({ wg }, run.id)}>
            {t('actions.cancel')}
          </Button>
        )
      }
    >
      {isOver ? null : (
        <Progress
          value={(100 * over) / run.devices}
          radius={0}
          size="sm"
          aria-label={t('deviceCommands.progress')}
        />
      )}
      <Table.ScrollContainer minWidth={520} type="native">
        <Table verticalSpacing={8} horizontalSpacing="md">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('deviceCommands.columns.device')}</Table.Th>
              <Table.Th>{t('deviceCommands.columns.state')}</Table.Th>
              <Table.Th>{t('deviceCommands.columns.output')}</Table.Th>
              <Table.Th className={classes.number}>{t('deviceCommands.columns.took')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((one) => (
              <Table.Tr key={one.deviceId}>
                <Table.Td>{names.get(one.deviceId) ?? one.deviceId}</Table.Td>
                <Table.Td className={classes.state}>
                  <LevelIcon mark={MARKS[one.state]} /> {t(`deviceCommands.states.${one.state}`)}
                </Table.Td>
                <Table.Td>
                  <pre className={classes.output}>{outputOf(one)}</pre>
                  <WholeOutputs device={one.deviceId} {...one} />
                </Table.Td>
                <Table.Td className={classes.number}>
                  {one.tookMs === null ? '' : `${one.tookMs} ms`}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Section>
  );
}

/** Fetches all of an output that was cut. */
export function WholeOutputs({
  device,
  stdoutFile,
  stderrFile,
}: {
  device: string;
  stdoutFile?: string | null | undefined;
  stderrFile?: string | null | undefined;
}) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { attempt, isWorking, failure } = useAttempt();
  const files = [
    ['stdout', stdoutFile],
    ['stderr', stderrFile],
  ].flatMap(([name, path]) => (name && path ? [{ name, path }] : []));
  return files.map(({ name, path }) => (
    <div key={name}>
      <Button
        size="compact-xs"
        variant="subtle"
        loading={isWorking}
        onClick={() => void attempt(() => fetchFile({ wg, device }, path))}
      >
        {t('deviceCommands.whole', { name })}
      </Button>
      <Failure text={failure} />
    </div>
  ));
}

const outputOf = ({ stdout, stderr, error }: CommandOutcome): string =>
  [stdout, stderr, error].filter(Boolean).join('\n').trim();
