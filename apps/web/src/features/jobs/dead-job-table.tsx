import type { DeadJob } from '@albedo/contract/jobs/jobs.schema';
import { IconRefresh, IconTrash } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { RowAction } from '../../app/list/actions.ts';
import { ListTable } from '../../app/list/list-table.tsx';
import { useList } from '../../app/list/use-list.ts';
import { notifyDone } from '../../app/notify.ts';
import type { Column } from '../../ui/data-table/column.ts';
import { NarrowRow } from '../../ui/data-table/narrow-row.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { userZone } from '../../ui/time-range/time-zone.ts';
import { formatInstant } from '../../ui/time-range/zoned-time.ts';
import { deadJobsQuery, deleteJob, tryJobAgain } from './jobs.queries.ts';

const idOf = (row: DeadJob): string => row.id;
const timeText = (at: number): string => formatInstant(at, userZone(), false);

/** Work in the background that failed and is not tried again, for the staff. */
export function DeadJobTable() {
  const { t } = useTranslation();
  const list = useList({ query: deadJobsQuery, sort: '-diedAt' });
  const columns = useMemo(() => columnsOf(t), [t]);
  const menu = useMemo(() => jobMenu(t), [t]);
  return (
    <ListTable
      list={list}
      label={t('opsteam.tabs.jobs')}
      failed={t('jobs.listFailed')}
      name="dead-jobs"
      columns={columns}
      rowId={idOf}
      search={t('jobs.search')}
      Narrow={NarrowJob}
      menu={menu}
      empty={<EmptyState title={t('jobs.none')} text={t('jobs.noneText')} />}
    />
  );
}

function jobMenu(t: TFunction) {
  const actions = ({ id }: DeadJob): RowAction<DeadJob>[] => [
    {
      id: 'retry',
      title: t('actions.tryAgain'),
      icon: <IconRefresh size={16} />,
      failed: t('jobs.failed'),
      run: async () => {
        await tryJobAgain(id);
        notifyDone(t('jobs.triedAgain'));
      },
    },
    {
      id: 'delete',
      title: t('jobs.delete'),
      icon: <IconTrash size={16} />,
      isDangerous: true,
      failed: t('jobs.failed'),
      run: async () => {
        await deleteJob(id);
        notifyDone(t('jobs.deleted'));
      },
    },
  ];
  return { label: ({ about, job }: DeadJob) => t('jobs.actions', { name: about ?? job }), actions };
}

function columnsOf(t: TFunction): Column<DeadJob>[] {
  return [
    { id: 'job', title: t('jobs.job'), value: (row) => row.job, width: 170, isFixed: true },
    { id: 'about', title: t('jobs.about'), value: (row) => row.about ?? '', width: 240, importance: 2 },
    { id: 'error', title: t('jobs.error'), value: (row) => row.error, width: 320, importance: 4 },
    { id: 'attempts', title: t('jobs.attempts'), value: (row) => row.attempts, width: 110, importance: 1 },
    {
      id: 'diedAt',
      title: t('jobs.diedAt'),
      value: (row) => row.diedAt,
      isTime: true,
      text: (row) => timeText(row.diedAt),
      width: 170,
    },
  ];
}

function NarrowJob({ row }: { row: DeadJob }) {
  return (
    <NarrowRow title={row.about ?? row.job}>
      {row.error} · {timeText(row.diedAt)}
    </NarrowRow>
  );
}
