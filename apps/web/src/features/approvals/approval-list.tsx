import type { Approval } from '@albedo/contract/approvals/approvals.schema';
import { IconArrowBackUp, IconBan, IconCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { RowAction } from '../../app/list/actions.ts';
import { ListTable } from '../../app/list/list-table.tsx';
import { useList } from '../../app/list/use-list.ts';
import { useNow } from '../../app/now.ts';
import { useSignedIn } from '../../app/session.ts';
import type { Column } from '../../ui/data-table/column.ts';
import { NarrowRow } from '../../ui/data-table/narrow-row.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { userZone } from '../../ui/time-range/time-zone.ts';
import { formatInstant } from '../../ui/time-range/zoned-time.ts';
import { agoText } from '../../ui/units/durations.ts';
import { deviceListQuery } from '../devices/devices.queries.ts';
import { ApprovalButtons } from './approval-buttons.tsx';
import { approvalsQuery, decide, withdraw } from './approvals.queries.ts';
import { isLive, wayText } from './way-text.ts';

const idOf = ({ id }: Approval): string => id;

/** Every request to reach into a device of the workgroup, and what became of it. */
export function ApprovalList() {
  const { t } = useTranslation();
  const { user, workgroup: wg } = useSignedIn();
  const now = useNow(10_000);
  const list = useList({ query: approvalsQuery(wg), sort: '-askedAt' });
  const { data: devices } = useQuery(deviceListQuery(wg));
  const columns = useMemo((): Column<Approval>[] => {
    const names = new Map(devices?.map(({ id, name }) => [id, name]));
    const nameOf = ({ deviceId }: Approval) => names.get(deviceId) ?? deviceId;
    const stateOf = (row: Approval) =>
      t(`approvals.states.${isLive(row, now) || row.state === 'used' ? row.state : endOf(row)}`);
    return [
      {
        id: 'askedAt',
        title: t('approvals.columns.askedAt'),
        value: (row) => row.askedAt,
        isTime: true,
        text: (row) => formatInstant(row.askedAt, userZone()),
        cell: (row) => agoText(row.askedAt, now),
        width: 100,
        importance: 70,
      },
      { id: 'by', title: t('approvals.columns.by'), value: (row) => row.by, width: 170, importance: 60 },
      {
        id: 'device',
        title: t('approvals.columns.device'),
        value: nameOf,
        cell: (row) => (
          <Link to="/devices/$deviceId" params={{ deviceId: row.deviceId }}>
            {nameOf(row)}
          </Link>
        ),
        width: 130,
        importance: 85,
      },
      {
        id: 'what',
        title: t('approvals.columns.what'),
        value: (row) => wayText(t, row),
        width: 180,
        isFixed: true,
      },
      { id: 'reason', title: t('approvals.reason'), value: (row) => row.reason, width: 200, importance: 50 },
      {
        id: 'state',
        title: t('approvals.columns.state'),
        value: stateOf,
        cell: (row) =>
          row.state === 'asked' && isLive(row, now) ? <ApprovalButtons approval={row} /> : stateOf(row),
        width: 170,
        importance: 90,
      },
      {
        id: 'decidedBy',
        title: t('approvals.columns.decidedBy'),
        value: (row) => row.decidedBy ?? '',
        width: 160,
        importance: 40,
      },
    ];
  }, [t, devices, now]);
  const menu = useMemo(
    () => ({
      label: (row: Approval) => t('approvals.menu', { by: row.by }),
      actions: (row: Approval) => (isLive(row, Date.now()) ? actionsOf(t, wg, user.email, row) : []),
    }),
    [t, wg, user.email],
  );
  return (
    <ListTable
      list={list}
      label={t('approvals.title')}
      failed={t('approvals.failed')}
      name="approvals"
      columns={columns}
      rowId={idOf}
      menu={menu}
      Narrow={NarrowApproval}
      search={t('approvals.search')}
      empty={<EmptyState title={t('approvals.none')} text={t('approvals.noneText')} />}
    />
  );
}

/** One that nobody decided or used in time is over, whether the list was loaded since or not. */
const endOf = ({ state }: Approval) => (state === 'asked' || state === 'approved' ? 'expired' : state);

/** A request that is live is decided by somebody else, or withdrawn by whoever made it. */
function actionsOf(t: TFunction, wg: string, me: string, row: Approval): RowAction<Approval>[] {
  const failed = t('approvals.failedOne');
  const decideAs = (decision: 'approved' | 'refused') => () => decide(wg, row, decision);
  if (row.by === me) {
    const run = () => withdraw(wg, row);
    return [
      { id: 'withdraw', title: t('approvals.withdraw'), icon: <IconArrowBackUp size={16} />, run, failed },
    ];
  }
  if (row.state !== 'asked') return [];
  return [
    {
      id: 'approve',
      title: t('approvals.approve'),
      icon: <IconCheck size={16} />,
      run: decideAs('approved'),
      failed,
    },
    {
      id: 'refuse',
      title: t('approvals.refuse'),
      icon: <IconBan size={16} />,
      run: decideAs('refused'),
      failed,
    },
  ];
}

function NarrowApproval({ row }: { row: Approval }) {
  const { t } = useTranslation();
  const now = useNow(10_000);
  const state = isLive(row, now) || row.state === 'used' ? row.state : endOf(row);
  return (
    <NarrowRow title={`${wayText(t, row)}, ${row.by}`}>
      {`${t(`approvals.states.${state}`)}, ${agoText(row.askedAt, now)}: ${row.reason}`}
    </NarrowRow>
  );
}
