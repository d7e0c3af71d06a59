import type { DataTable } from '@albedo/contract/data-tables/data-tables.schema';
import { useNavigate } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { ListTable } from '../../app/list/list-table.tsx';
import { useList } from '../../app/list/use-list.ts';
import { useNow } from '../../app/now.ts';
import { useWorkgroup } from '../../app/session.ts';
import type { Column } from '../../ui/data-table/column.ts';
import { NarrowRow } from '../../ui/data-table/narrow-row.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { agoText } from '../../ui/units/durations.ts';
import { formatCount, formatWhole } from '../../ui/units/numbers.ts';
import { formatBytes } from '../../ui/units/units.ts';
import { dataTablesQuery } from './data-tables.queries.ts';
import { retentionText } from './retention-text.ts';

const idOf = ({ table }: DataTable): string => table;

/** The tables of the workgroup, a tab of Admin > Data. */
export function DataTableList() {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const now = useNow(60_000);
  const navigate = useNavigate();
  const list = useList({ query: dataTablesQuery(wg), sort: 'table' });
  const columns = useMemo(() => columnsOf(t, now), [t, now]);
  return (
    <ListTable
      list={list}
      label={t('dataTables.title')}
      failed={t('dataTables.failed')}
      name="data-tables"
      columns={columns}
      rowId={idOf}
      search={t('dataTables.search')}
      Narrow={NarrowTable}
      onOpen={({ table }) => void navigate({ to: '/admin/data/tables/$table', params: { table } })}
      empty={<EmptyState title={t('dataTables.none')} text={t('dataTables.noneText')} />}
    />
  );
}

function columnsOf(t: TFunction, now: number): Column<DataTable>[] {
  return [
    { id: 'table', title: t('dataTables.table'), value: idOf, width: 240, isFixed: true },
    {
      id: 'forecasts',
      title: t('dataTables.forecasts.title'),
      hint: t('dataTables.forecasts.text'),
      value: ({ holdsForecasts }) => (holdsForecasts ? t('dataTables.forecasts.mark') : ''),
      width: 120,
      importance: 1,
    },
    {
      id: 'events',
      title: t('dataTables.events'),
      value: ({ events }) => events,
      cell: ({ events }) => formatWhole(events),
      align: 'right',
      width: 130,
      importance: 6,
    },
    {
      id: 'bytes',
      title: t('dataTables.size'),
      hint: t('dataTables.sizeHint'),
      value: ({ bytes }) => bytes,
      cell: ({ bytes }) => formatBytes(bytes),
      align: 'right',
      width: 120,
      importance: 5,
    },
    {
      id: 'eventsPerDay',
      title: t('dataTables.perDay'),
      hint: t('dataTables.perDayHint'),
      value: ({ eventsPerDay }) => eventsPerDay,
      cell: ({ eventsPerDay }) => formatCount(eventsPerDay),
      align: 'right',
      width: 150,
      importance: 2,
    },
    {
      id: 'devices',
      title: t('dataTables.devices'),
      value: ({ devices }) => devices,
      cell: ({ devices }) => formatWhole(devices),
      align: 'right',
      width: 110,
      importance: 1,
    },
    {
      id: 'lastAt',
      title: t('dataTables.last'),
      value: ({ lastAt }) => lastAt,
      isTime: true,
      text: ({ lastAt }) => new Date(lastAt).toISOString(),
      cell: ({ lastAt }) => agoText(lastAt, now),
      width: 160,
      importance: 4,
    },
    {
      id: 'retention',
      title: t('dataTables.retention'),
      value: ({ retentionDays }) => retentionDays ?? Number.POSITIVE_INFINITY,
      text: (row) => retentionText(t, row),
      cell: (row) => retentionText(t, row),
      width: 150,
      importance: 3,
    },
  ];
}

function NarrowTable({ row }: { row: DataTable }) {
  const { t } = useTranslation();
  const { table, events, bytes } = row;
  return (
    <NarrowRow title={table}>
      {[t('dataTables.eventCount', { count: events, events: formatWhole(events) }), formatBytes(bytes)].join(
        ' · ',
      )}
    </NarrowRow>
  );
}
