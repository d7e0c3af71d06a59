import type { ExternalRun, ExternalSource } from '@albedo/contract/external-sources/external-sources.schema';
import { Button, Group, Modal, Table } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { useWorkgroup } from '../../app/session.ts';
import { useSubmit } from '../../app/use-submit.ts';
import { Failure } from '../../ui/failure.tsx';
import { EmptyState, ErrorState, TableSkeleton } from '../../ui/states.tsx';
import { formatInstant } from '../../ui/time-range/zoned-time.ts';
import { formatDuration } from '../../ui/units/durations.ts';
import { formatWhole } from '../../ui/units/numbers.ts';
import classes from './external-sources.module.css';
import { externalRunsQuery, runExternalSource } from './external-sources.queries.ts';
import { FaultList } from './fault-list.tsx';

/** The runs of a source, the newest first, and a button to read it now. */
export function RunHistory({ source, onClose }: { source: ExternalSource; onClose: () => void }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { data: runs, error, refetch } = useQuery(externalRunsQuery(wg, source._id));
  const read = useSubmit(async () => {
    await runExternalSource(wg, source._id);
  });
  return (
    <Modal opened onClose={onClose} size="xl" title={t('externalSources.historyOf', { name: source.name })}>
      {error ? (
        <ErrorState title={t('externalSources.historyFailed')} error={error} onRetry={() => void refetch()} />
      ) : !runs ? (
        <TableSkeleton rows={4} />
      ) : runs.length === 0 ? (
        <EmptyState title={t('externalSources.noRuns')} text={t('externalSources.noRunsText')} />
      ) : (
        <RunTable runs={runs} isCsv={source.format === 'csv'} />
      )}
      <Failure text={read.failure} />
      <Group justify="flex-end" mt="lg">
        {source.kind === 'push' ? null : (
          <Button
            variant="default"
            leftSection={<IconPlayerPlay size={16} />}
            loading={read.isWorking}
            onClick={(event) => void read.handleSubmit(event)}
          >
            {t('externalSources.run')}
          </Button>
        )}
        <Button onClick={onClose}>{t('externalSources.close')}</Button>
      </Group>
    </Modal>
  );
}

function RunTable({ runs, isCsv }: { runs: readonly ExternalRun[]; isCsv: boolean }) {
  const { t } = useTranslation();
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <Table.ScrollContainer minWidth={560} mah="60vh">
      <Table withTableBorder verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('externalSources.when')}</Table.Th>
            <Table.Th>{t('externalSources.by')}</Table.Th>
            <Table.Th className={classes.number}>{t('externalSources.took')}</Table.Th>
            <Table.Th className={classes.number}>{t('externalSources.read')}</Table.Th>
            <Table.Th className={classes.number}>{t('externalSources.stored')}</Table.Th>
            <Table.Th className={classes.number}>{t('externalSources.refused')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {runs.map((run) => (
            <Fragment key={run._id}>
              <Table.Tr>
                <Table.Td>{formatInstant(run.at, zone)}</Table.Td>
                <Table.Td>{t(`externalSources.runBy.${run.by}`)}</Table.Td>
                <Table.Td className={classes.number}>{formatDuration(run.tookMs)}</Table.Td>
                <Table.Td className={classes.number}>{formatWhole(run.records)}</Table.Td>
                <Table.Td className={classes.number}>{formatWhole(run.stored)}</Table.Td>
                <Table.Td className={classes.number}>{formatWhole(run.refused)}</Table.Td>
              </Table.Tr>
              <RunDetails run={run} isCsv={isCsv} />
            </Fragment>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** The files that a run read, and its errors; nothing if it had neither. */
function RunDetails({
  run: { files, error, faults, isFailed },
  isCsv,
}: {
  run: ExternalRun;
  isCsv: boolean;
}) {
  const { t } = useTranslation();
  if (files.length === 0 && error === null && faults.length === 0) return null;
  const runError = files.some((file) => file.error !== null) ? null : error;
  return (
    <Table.Tr>
      <Table.Td colSpan={6}>
        <div className={classes.details}>
          {files.map((file) => (
            <div
              key={`${file.name} ${file.records}`}
              className={file.error === null ? undefined : classes.failed}
            >
              {file.error === null
                ? t('externalSources.fileRead', {
                    name: file.name,
                    count: file.records,
                    records: formatWhole(file.records),
                    stored: formatWhole(file.stored),
                  })
                : `${file.name}: ${file.error}`}
            </div>
          ))}
          {runError !== null && (isFailed || faults.length === 0) ? (
            <div className={classes.failed}>{runError}</div>
          ) : null}
          <FaultList faults={faults} isCsv={isCsv} />
        </div>
      </Table.Td>
    </Table.Tr>
  );
}
