import type { StoredRequest } from '@albedo/contract/workgroup-requests/workgroup-requests.schema';
import { SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Column } from '../../ui/data-table/column.ts';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import { NarrowRow } from '../../ui/data-table/narrow-row.tsx';
import { useSearchChange, useTableAddress } from '../../ui/data-table/use-table-address.ts';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { userZone } from '../../ui/time-range/time-zone.ts';
import { formatInstant } from '../../ui/time-range/zoned-time.ts';
import { RequestDialog } from './request-dialog.tsx';
import classes from './requests.module.css';
import { requestsQuery } from './workgroup-requests.queries.ts';

const idOf = (request: StoredRequest): string => request._id;
const timeText = (at: number): string => formatInstant(at, userZone(), false);
const FILTERS = ['open', 'decided'] as const;

/** Requests for workgroups, for the staff that decides them; open ones or decided ones, by the address. */
export function RequestList() {
  const { t } = useTranslation();
  const address = useTableAddress('-requestedAt');
  const change = useSearchChange();
  const { data, error, refetch } = useQuery(requestsQuery);
  const [shownId, setShownId] = useState<string | null>(null);
  const narrow = useCallback((row: StoredRequest) => <NarrowRequest row={row} />, []);
  const { status } = useSearch({ strict: false }) as { status?: string };
  const filter = status === 'decided' ? 'decided' : 'open';
  const columns = useMemo(() => columnsOf(t, filter === 'decided'), [t, filter]);
  const rows = useMemo(
    () => data?.filter(({ status }) => (status === 'open') === (filter === 'open')),
    [data, filter],
  );
  const shown = data?.find((one) => one._id === shownId);

  if (error)
    return (
      <ErrorState title={t('workgroupRequests.listFailed')} error={error} onRetry={() => void refetch()} />
    );
  const count = (of: string) =>
    data?.filter(({ status: is }) => (is === 'open') === (of === 'open')).length ?? 0;
  return (
    <>
      <DataTable
        label={t('workgroupRequests.list')}
        name="workgroup-requests"
        columns={columns}
        rows={rows}
        rowId={idOf}
        sort={address.sort}
        onSort={address.setSort}
        find={{ label: t('workgroupRequests.search'), q: address.q, setQ: address.setQ }}
        toolbar={
          <SegmentedControl
            aria-label={t('workgroupRequests.shown')}
            data={FILTERS.map((value) => ({
              value,
              label: `${t(`workgroupRequests.filters.${value}`)} · ${count(value)}`,
            }))}
            value={filter}
            onChange={(next) => change({ status: next === 'open' ? undefined : next })}
          />
        }
        narrow={narrow}
        onOpen={(row) => setShownId(row._id)}
        empty={
          <EmptyState
            title={t(`workgroupRequests.none.${filter}`)}
            text={t(`workgroupRequests.noneText.${filter}`)}
          />
        }
      />
      {shown ? <RequestDialog request={shown} onClose={() => setShownId(null)} /> : null}
    </>
  );
}

function columnsOf(t: TFunction, isDecided: boolean): Column<StoredRequest>[] {
  const field = (id: 'name' | 'company' | 'email' | 'country', width: number): Column<StoredRequest> => ({
    id,
    title: t(`workgroupRequests.fields.${id}`),
    value: (row) => row[id],
    width,
  });
  return [
    { ...field('company', 220), isFixed: true },
    field('name', 180),
    field('email', 220),
    field('country', 140),
    {
      id: 'requestedAt',
      title: t('workgroupRequests.requestedAt'),
      value: (row) => row.requestedAt,
      text: (row) => timeText(row.requestedAt),
      width: 170,
    },
    ...(isDecided ? decision(t) : []),
  ];
}

function decision(t: TFunction): Column<StoredRequest>[] {
  return [
    {
      id: 'status',
      title: t('workgroupRequests.status'),
      value: (row) => t(`workgroupRequests.statuses.${row.status}`),
      cell: (row) => <Status row={row} />,
      width: 110,
    },
    {
      id: 'decidedBy',
      title: t('workgroupRequests.decidedBy'),
      value: (row) => row.decidedBy,
      width: 200,
    },
  ];
}

function Status({ row }: { row: StoredRequest }) {
  const { t } = useTranslation();
  return (
    <span className={classes.status} data-status={row.status}>
      {t(`workgroupRequests.statuses.${row.status}`)}
    </span>
  );
}

function NarrowRequest({ row }: { row: StoredRequest }) {
  return (
    <NarrowRow title={row.company}>
      <Status row={row} /> · {row.name} · {timeText(row.requestedAt)}
    </NarrowRow>
  );
}
