import type { DeviceGroup } from '@albedo/contract/device-groups/device-groups.schema';
import type { Invite } from '@albedo/contract/members/members.schema';
import { IconMailForward, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../app/confirm-dialog.tsx';
import { notifyDone } from '../../app/notify.ts';
import { useWorkgroup } from '../../app/session.ts';
import type { Column } from '../../ui/data-table/column.ts';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import { NarrowRow } from '../../ui/data-table/narrow-row.tsx';
import { useTableAddress } from '../../ui/data-table/use-table-address.ts';
import { PageAction } from '../../ui/page.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { LevelIcon } from '../../ui/status/level-icon.tsx';
import { userZone } from '../../ui/time-range/time-zone.ts';
import { formatInstant } from '../../ui/time-range/zoned-time.ts';
import { deviceGroupsQuery } from '../device-groups/device-groups.queries.ts';
import { InviteButton } from './invite-button.tsx';
import { InvitesBulk } from './invites-bulk.tsx';
import classes from './members.module.css';
import { invitesQuery, removeInvite, resendInvite } from './members.queries.ts';
import { permissionText } from './permission-text.ts';

const idOf = (invite: Invite): string => invite._id;
const BULK = {
  label: ({ email }: Invite) => email,
  actions: (invites: Invite[], untick: () => void) => <InvitesBulk invites={invites} onDone={untick} />,
};

/** The invitations that nobody answered yet. */
export function InviteList() {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const address = useTableAddress('-sentAt');
  const { data: invites, error, refetch } = useQuery(invitesQuery(wg));
  const [open, setOpen] = useState<{ action: 'resend' | 'remove'; invite: Invite } | null>(null);
  const { data: groups } = useQuery(deviceGroupsQuery(wg));
  const columns = useMemo(() => inviteColumns(t, groups), [t, groups]);
  const menuOf = useCallback(
    (invite: Invite) => (
      <RowMenu
        label={t('members.menu', { name: invite.email })}
        actions={[
          {
            title: t('members.resend'),
            icon: <IconMailForward size={16} />,
            onClick: () => setOpen({ action: 'resend', invite }),
          },
          {
            title: t('members.removeInvite'),
            icon: <IconTrash size={16} />,
            isDangerous: true,
            onClick: () => setOpen({ action: 'remove', invite }),
          },
        ]}
      />
    ),
    [t],
  );
  const narrow = useCallback((invite: Invite) => <NarrowInvite invite={invite} />, []);

  if (error)
    return <ErrorState title={t('members.invitesFailed')} error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <PageAction>
        <InviteButton />
      </PageAction>
      <DataTable
        label={t('members.invites')}
        name="invites"
        columns={columns}
        rows={invites}
        rowId={idOf}
        sort={address.sort}
        onSort={address.setSort}
        find={{ label: t('members.searchInvites'), q: address.q, setQ: address.setQ }}
        narrow={narrow}
        bulk={BULK}
        actions={menuOf}
        empty={
          <EmptyState title={t('members.noInvites')} text={t('members.noInvitesText')}>
            <InviteButton />
          </EmptyState>
        }
      />
      {open ? (
        <ConfirmDialog
          isHarmless={open.action === 'resend'}
          onClose={() => setOpen(null)}
          onConfirm={async () => {
            await (open.action === 'resend' ? resendInvite : removeInvite)(wg, open.invite._id);
            notifyDone(t(`members.${open.action}Done`, { email: open.invite.email }));
          }}
        >
          {t(open.action === 'resend' ? 'members.resendText' : 'members.removeInviteText', {
            email: open.invite.email,
          })}
        </ConfirmDialog>
      ) : null}
    </>
  );
}

function inviteColumns(t: TFunction, groups: readonly DeviceGroup[] | undefined): Column<Invite>[] {
  return [
    { id: 'email', title: t('login.email'), value: (row) => row.email, width: 240, isFixed: true },
    { id: 'role', title: t('members.role'), value: (row) => t(`members.roles.${row.role}`), width: 90 },
    {
      id: 'sentAt',
      title: t('members.sentAt'),
      value: (row) => row.sentAt,
      text: (row) => timeText(row.sentAt),
      width: 150,
    },
    {
      id: 'expiresAt',
      title: t('members.expiresAt'),
      value: (row) => row.expiresAt,
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
    },
    {
      id: 'invitedBy',
      title: t('members.invitedBy'),
      value: (row) => row.invitedBy ?? t('members.byStaff'),
      width: 190,
    },
    {
      id: 'deviceGroup',
      title: t('members.deviceGroup'),
      value: ({ devGroup }) =>
        devGroup && (groups?.find(({ _id }) => _id === devGroup)?.name ?? t('accessControl.gone')),
      width: 140,
    },
    {
      id: 'signsIn',
      title: t('members.signsIn'),
      value: (row) => t(row.idpId === null ? 'members.byPassword' : 'members.bySso'),
      width: 130,
      isHidden: true,
    },
    {
      id: 'permissions',
      title: t('members.permissions'),
      value: (row) => permissionText(t, row),
      width: 280,
    },
  ];
}

function NarrowInvite({ invite }: { invite: Invite }) {
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
