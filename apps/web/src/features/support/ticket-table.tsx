import type { StoredTicket } from '@albedo/contract/support/support.schema';
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
import { workgroupEntriesQuery } from '../workgroup-admin/workgroup-admin.queries.ts';
import { ticketsQuery } from './support.queries.ts';
import { TicketDialog } from './ticket-dialog.tsx';

const idOf = (ticket: StoredTicket): string => ticket._id;
const timeText = (at: number): string => formatInstant(at, userZone(), false);

/** What people asked support for: the open ones, or those that are closed. */
export function TicketTable() {
  const { t } = useTranslation();
  const address = useTableAddress('-createdAt');
  const changeSearch = useSearchChange();
  const { status: wanted } = useSearch({ strict: false }) as { status?: string };
  const status = wanted === 'closed' ? 'closed' : 'open';
  const { data, error, refetch } = useQuery(ticketsQuery);
  const [openId, setOpenId] = useState<string | null>(null);
  const { data: workgroups } = useQuery(workgroupEntriesQuery);
  const nameOf = useCallback(
    (wg: string) => workgroups?.find(({ name }) => name === wg)?.displayName ?? wg,
    [workgroups],
  );
  const columns = useMemo(() => columnsOf(t, nameOf), [t, nameOf]);
  const rows = useMemo(() => data?.filter((one) => one.status === status), [data, status]);
  const narrow = useCallback((row: StoredTicket) => <NarrowTicket ticket={row} />, []);
  const open = data?.find(({ _id }) => _id === openId);

  if (error && !data)
    return <ErrorState title={t('support.tickets.failed')} error={error} onRetry={() => void refetch()} />;
  const count = (of: StoredTicket['status']) => data?.filter((one) => one.status === of).length ?? 0;
  return (
    <>
      <DataTable
        label={t(`support.tickets.label.${status}`)}
        name="tickets"
        columns={columns}
        rows={rows}
        rowId={idOf}
        sort={address.sort}
        onSort={address.setSort}
        narrow={narrow}
        onOpen={(ticket) => setOpenId(ticket._id)}
        find={{ label: t('support.tickets.search'), q: address.q, setQ: address.setQ }}
        toolbar={
          <SegmentedControl
            aria-label={t('support.tickets.status')}
            value={status}
            onChange={(next) => changeSearch({ status: next === 'closed' ? next : undefined })}
            data={(['open', 'closed'] as const).map((value) => ({
              value,
              label: `${t(`support.tickets.${value}`)} · ${count(value)}`,
            }))}
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
      text: (row) => timeText(row.createdAt),
      width: 150,
    },
    { id: 'name', title: t('support.name'), value: (row) => row.name, width: 160 },
    { id: 'email', title: t('support.email'), value: (row) => row.email, width: 200, isHidden: true },
    {
      id: 'workgroup',
      title: t('support.tickets.workgroup'),
      value: ({ workgroupId }) => workgroupId && nameOf(workgroupId),
      width: 180,
    },
    {
      id: 'files',
      title: t('support.tickets.files'),
      value: (row) => row.files.length || null,
      width: 80,
      align: 'right',
    },
    { id: 'assignee', title: t('support.tickets.assignee'), value: (row) => row.assignee, width: 200 },
  ];
}

function NarrowTicket({ ticket }: { ticket: StoredTicket }) {
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
