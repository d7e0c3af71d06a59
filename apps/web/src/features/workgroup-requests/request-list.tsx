import type { StoredRequest } from '@albedo/contract/workgroup-requests/workgroup-requests.schema';
import type { TFunction } from 'i18next';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FilterControl } from '../../app/list/filter-control.tsx';
import { ListTable } from '../../app/list/list-table.tsx';
import { type ListFilter, useList } from '../../app/list/use-list.ts';
import type { Column } from '../../ui/data-table/column.ts';
import { NarrowRow } from '../../ui/data-table/narrow-row.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { userZone } from '../../ui/time-range/time-zone.ts';
import { formatInstant } from '../../ui/time-range/zoned-time.ts';
import { RequestDialog } from './request-dialog.tsx';
import classes from './requests.module.css';
import { requestsQuery } from './workgroup-requests.queries.ts';

const idOf = (request: StoredRequest): string => request._id;
const timeText = (at: number): string => formatInstant(at, userZone(), false);
const STATUS: ListFilter<StoredRequest, 'open' | 'decided'> = {
  param: 'status',
  values: ['open', 'decided'],
  matches: ({ status }, wanted) => (status === 'open') === (wanted === 'open'),
};

/** Requests for workgroups, for the staff that decides them; open ones or decided ones, by the address. */
export function RequestList() {
  const { t } = useTranslation();
  const list = useList({ query: requestsQuery, sort: '-requestedAt', filter: STATUS });
  const { shown } = list;
  const [openId, setOpenId] = useState<string | null>(null);
  const columns = useMemo(() => columnsOf(t, shown === 'decided'), [t, shown]);
  const open = list.all?.find(({ _id }) => _id === openId);
  return (
    <>
      <ListTable
        list={list}
        label={t('workgroupRequests.list')}
        failed={t('workgroupRequests.listFailed')}
        name="workgroup-requests"
        columns={columns}
        rowId={idOf}
        search={t('workgroupRequests.search')}
        Narrow={NarrowRequest}
        onOpen={({ _id }) => setOpenId(_id)}
        toolbar={
          <FilterControl
            list={list}
            values={STATUS.values}
            label={t('workgroupRequests.shown')}
            titleOf={(value) => t(`workgroupRequests.filters.${value}`)}
          />
        }
        empty={
          <EmptyState
            title={t(`workgroupRequests.none.${shown}`)}
            text={t(`workgroupRequests.noneText.${shown}`)}
          />
        }
      />
      {open ? <RequestDialog request={open} onClose={() => setOpenId(null)} /> : null}
    </>
  );
}

function columnsOf(t: TFunction, isDecided: boolean): Column<StoredRequest>[] {
  const field = (
    id: 'name' | 'company' | 'email' | 'country',
    width: number,
    importance: number,
  ): Column<StoredRequest> => ({
    id,
    title: t(`workgroupRequests.fields.${id}`),
    value: (row) => row[id],
    width,
    importance,
  });
  return [
    { ...field('company', 220, 9), isFixed: true },
    field('name', 180, 4),
    field('email', 220, 5),
    field('country', 140, 2),
    {
      id: 'requestedAt',
      title: t('workgroupRequests.requestedAt'),
      value: (row) => row.requestedAt,
      isTime: true,
      text: (row) => timeText(row.requestedAt),
      width: 170,
      importance: 3,
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
      importance: 6,
    },
    {
      id: 'decidedBy',
      title: t('workgroupRequests.decidedBy'),
      value: (row) => row.decidedBy,
      width: 200,
      importance: 1,
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
