import type { DeviceGroup } from '@albedo/contract/device-groups/device-groups.schema';
import type { Invite } from '@albedo/contract/members/members.schema';
import { IconMailForward, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { ListTable } from '../../app/list/list-table.tsx';
import { useList } from '../../app/list/use-list.ts';
import { notifyDone } from '../../app/notify.ts';
import { useWorkgroup } from '../../app/session.ts';
import type { Column } from '../../ui/data-table/column.ts';
import { NarrowRow } from '../../ui/data-table/narrow-row.tsx';
import { PageAction } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { LevelIcon } from '../../ui/status/level-icon.tsx';
import { userZone } from '../../ui/time-range/time-zone.ts';
import { formatInstant } from '../../ui/time-range/zoned-time.ts';
import { deviceGroupsQuery } from '../device-groups/device-groups.queries.ts';
import { InviteButton } from './invite-button.tsx';
import classes from './members.module.css';
import { changeInvites, invitesQuery, removeInvite, resendInvite } from './members.queries.ts';
import { permissionText } from './permission-text.ts';

const idOf = (invite: Invite): string => invite._id;
const emailOf = ({ email }: Invite): string => email;

/** The invitations without an answer yet. */
export function InviteList() {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const list = useList({ query: invitesQuery(wg), sort: '-sentAt' });
  const { data: groups } = useQuery(deviceGroupsQuery(wg));
  const columns = useMemo(() => inviteColumns(t, groups), [t, groups]);
  const actions = useMemo(() => inviteActions(t, wg), [t, wg]);
  return (
    <>
      <PageAction>
        <InviteButton />
      </PageAction>
      <ListTable
        {...actions}
        list={list}
        label={t('members.invites')}
        failed={t('members.invitesFailed')}
        name="invites"
        columns={columns}
        rowId={idOf}
        search={t('members.searchInvites')}
        Narrow={NarrowInvite}
        empty={
          <EmptyState title={t('members.noInvites')} text={t('members.noInvitesText')}>
            <InviteButton />
          </EmptyState>
        }
      />
    </>
  );
}

/** Sending one or several invitations again, and taking them back. */
function inviteActions(t: TFunction, wg: string) {
  const kinds = [
    {
      id: 'resend' as const,
      title: t('members.resend'),
      icon: <IconMailForward size={16} />,
      text: 'members.resendText',
      change: resendInvite,
    },
    {
      id: 'remove' as const,
      title: t('members.removeInvite'),
      icon: <IconTrash size={16} />,
      isDangerous: true,
      text: 'members.removeInviteText',
      change: removeInvite,
    },
  ];
  return {
    menu: {
      label: ({ email }: Invite) => t('members.menu', { name: email }),
      actions: ({ _id, email }: Invite) =>
        kinds.map(({ text, change, ...action }) => ({
          ...action,
          ask: { text: t(text, { email }), isHarmless: action.id === 'resend' },
          run: async () => {
            await change(wg, _id);
            notifyDone(t(`members.${action.id}Done`, { email }));
          },
        })),
    },
    bulk: {
      nameOf: emailOf,
      actions: kinds.map(({ text: _, change: __, ...action }) => ({
        ...action,
        ask: ({ length: count }: readonly Invite[]) => ({
          text: t(`members.${action.id}ManyText`, { count }),
          isHarmless: action.id === 'resend',
        }),
        run: (ids: string[]) => changeInvites(wg, ids, action.id),
        done: ({ length: count }: readonly Invite[]) => t(`members.${action.id}ManyDone`, { count }),
      })),
    },
  };
}

function inviteColumns(t: TFunction, groups: readonly DeviceGroup[] | undefined): Column<Invite>[] {
  return [
    { id: 'email', title: t('login.email'), value: (row) => row.email, width: 240, isFixed: true },
    {
      id: 'role',
      title: t('members.role'),
      value: (row) => t(`members.roles.${row.role}`),
      width: 90,
      importance: 6,
    },
    {
      id: 'sentAt',
      title: t('members.sentAt'),
      value: (row) => row.sentAt,
      isTime: true,
      text: (row) => timeText(row.sentAt),
      width: 150,
      importance: 4,
    },
    {
      id: 'expiresAt',
      title: t('members.expiresAt'),
      value: (row) => row.expiresAt,
      isTime: true,
      text: (row) => (isOver(row) ? t('members.expired') : timeText(row.expiresAt)),
      cell: (row) =>
        isOver(row) ? (
          <span className={classes.over}>
            <LevelIcon mark="warning" size={14} />
            {t('members.expired')}
          </span>
        ) : (
          timeText(row.expiresAt)
        ),
      width: 150,
      importance: 5,
      alarms: isOver,
    },
    {
      id: 'invitedBy',
      title: t('members.invitedBy'),
      value: (row) => row.invitedBy ?? t('members.byStaff'),
      width: 190,
      importance: 3,
    },
    {
      id: 'deviceGroup',
      title: t('members.deviceGroup'),
      value: ({ devGroup }) =>
        devGroup && (groups?.find(({ _id }) => _id === devGroup)?.name ?? t('accessControl.gone')),
      width: 140,
      importance: 1,
    },
    {
      id: 'signsIn',
      title: t('members.signsIn'),
      value: (row) => t(row.idpId === null ? 'members.byPassword' : 'members.bySso'),
      width: 130,
      importance: 1,
      isHidden: true,
    },
    {
      id: 'permissions',
      title: t('members.permissions'),
      value: (row) => permissionText(t, row),
      width: 220,
      importance: 2,
    },
  ];
}

function NarrowInvite({ row: invite }: { row: Invite }) {
  const { t } = useTranslation();
  return (
    <NarrowRow title={invite.email}>
      {t(`members.roles.${invite.role}`)} ·{' '}
      {isOver(invite) ? t('members.expired') : t('members.expiresOn', { time: timeText(invite.expiresAt) })}
    </NarrowRow>
  );
}

const isOver = (invite: Invite): boolean => invite.expiresAt <= Date.now();

const timeText = (at: number): string => formatInstant(at, userZone(), false);
