import type { StoredTicket } from '@albedo/contract/support/support.schema';
import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FilterControl } from '../../app/list/filter-control.tsx';
import { ListTable } from '../../app/list/list-table.tsx';
import { type ListFilter, useList } from '../../app/list/use-list.ts';
import type { Column } from '../../ui/data-table/column.ts';
import { NarrowRow } from '../../ui/data-table/narrow-row.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { userZone } from '../../ui/time-range/time-zone.ts';
import { formatInstant } from '../../ui/time-range/zoned-time.ts';
import { workgroupEntriesQuery } from '../workgroup-admin/workgroup-admin.queries.ts';
import { ticketsQuery } from './support.queries.ts';
import { TicketDialog } from './ticket-dialog.tsx';

const idOf = (ticket: StoredTicket): string => ticket._id;
const timeText = (at: number): string => formatInstant(at, userZone(), false);
const STATUS: ListFilter<StoredTicket, StoredTicket['status']> = {
  param: 'status',
  values: ['open', 'closed'],
  matches: ({ status }, wanted) => status === wanted,
};

/** What people asked support for: the open ones, or those that are closed. */
export function TicketTable() {
  const { t } = useTranslation();
  const list = useList({ query: ticketsQuery, sort: '-createdAt', filter: STATUS });
  const status = list.shown;
  const [openId, setOpenId] = useState<string | null>(null);
  const { data: workgroups } = useQuery(workgroupEntriesQuery);
  const nameOf = useCallback(
    (wg: string) => workgroups?.find(({ name }) => name === wg)?.displayName ?? wg,
    [workgroups],
  );
  const columns = useMemo(() => columnsOf(t, nameOf), [t, nameOf]);
  const open = list.all?.find(({ _id }) => _id === openId);
  return (
    <>
      <ListTable
        list={list}
        label={t(`support.tickets.label.${status}`)}
        failed={t('support.tickets.failed')}
        name="tickets"
        columns={columns}
        rowId={idOf}
        search={t('support.tickets.search')}
        Narrow={NarrowTicket}
        onOpen={({ _id }) => setOpenId(_id)}
        toolbar={
          <FilterControl
            list={list}
            values={STATUS.values}
            label={t('support.tickets.status')}
            titleOf={(value) => t(`support.tickets.${value}`)}
          />
        }
        empty={
          <EmptyState
            title={t(`support.tickets.none.${status}`)}
            text={t(`support.tickets.noneText.${status}`)}
          />
        }
      />
      {open ? <TicketDialog ticket={open} onClose={() => setOpenId(null)} /> : null}
    </>
  );
}

function columnsOf(t: TFunction, nameOf: (wg: string) => string): Column<StoredTicket>[] {
  return [
    { id: 'taskId', title: '#', value: (row) => Number(row.taskId), width: 70, isFixed: true },
    { id: 'subject', title: t('support.subject'), value: (row) => row.subject, width: 300, isFixed: true },
    {
      id: 'createdAt',
      title: t('support.tickets.createdAt'),
      value: (row) => row.createdAt,
      isTime: true,
      text: (row) => timeText(row.createdAt),
      width: 150,
      importance: 5,
    },
    { id: 'name', title: t('support.name'), value: (row) => row.name, width: 160, importance: 3 },
    {
      id: 'email',
      title: t('support.email'),
      value: (row) => row.email,
      width: 200,
      importance: 1,
      isHidden: true,
    },
    {
      id: 'workgroup',
      title: t('support.tickets.workgroup'),
      value: ({ workgroupId }) => workgroupId && nameOf(workgroupId),
      width: 180,
      importance: 4,
    },
    {
      id: 'files',
      title: t('support.tickets.files'),
      value: (row) => row.files.length || null,
      width: 80,
      importance: 1,
      align: 'right',
    },
    {
      id: 'assignee',
      title: t('support.tickets.assignee'),
      value: (row) => row.assignee,
      width: 200,
      importance: 2,
    },
  ];
}

function NarrowTicket({ row: ticket }: { row: StoredTicket }) {
  return (
    <NarrowRow
      title={
        <>
          #{ticket.taskId} {ticket.subject}
        </>
      }
    >
      {ticket.name} · {timeText(ticket.createdAt)}
    </NarrowRow>
  );
}
