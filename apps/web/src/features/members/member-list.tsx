import type { DeviceGroup } from '@albedo/contract/device-groups/device-groups.schema';
import type { MemberInfo } from '@albedo/contract/members/members.schema';
import { IconPencil, IconUserMinus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../app/confirm-dialog.tsx';
import { notifyDone } from '../../app/notify.ts';
import { useNow } from '../../app/now.ts';
import { usePermission } from '../../app/permissions.ts';
import { useSignedIn } from '../../app/session.ts';
import type { Column } from '../../ui/data-table/column.ts';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import { NarrowRow } from '../../ui/data-table/narrow-row.tsx';
import { useTableAddress } from '../../ui/data-table/use-table-address.ts';
import { PageAction } from '../../ui/page.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { agoText } from '../../ui/units/durations.ts';
import { deviceGroupsQuery } from '../device-groups/device-groups.queries.ts';
import { InviteButton } from './invite-button.tsx';
import { MemberDialog } from './member-dialog.tsx';
import classes from './members.module.css';
import { membersQuery, removeMember } from './members.queries.ts';
import { MembersBulk } from './members-bulk.tsx';
import { MfaPolicy } from './mfa-policy.tsx';
import { permissionText } from './permission-text.ts';
import { signInText } from './sign-in-text.ts';

const idOf = (member: MemberInfo): string => member._id;
const BULK = {
  label: ({ name }: MemberInfo) => name,
  actions: (members: MemberInfo[], untick: () => void) => <MembersBulk members={members} onDone={untick} />,
};

/** Who belongs to the workgroup and what they may do. */
export function MemberList() {
  const { t } = useTranslation();
  const { user, workgroup } = useSignedIn();
  const canManage = usePermission('manageAccess');
  const address = useTableAddress('name');
  const { data: members, error, refetch } = useQuery(membersQuery(workgroup));
  const owners = members?.filter(({ role }) => role === 'owner');
  const onlyOwner = owners?.length === 1 ? owners[0]?._id : undefined;
  const [open, setOpen] = useState<{ action: 'change' | 'remove'; member: MemberInfo } | null>(null);
  const close = () => setOpen(null);
  const { data: groups } = useQuery({ ...deviceGroupsQuery(workgroup), enabled: canManage });
  const now = useNow(60_000);
  const columns = useMemo(() => memberColumns(t, { groups, now, me: user._id }), [t, groups, now, user._id]);
  const change = useCallback((member: MemberInfo) => setOpen({ action: 'change', member }), []);
  const menuOf = useCallback(
    (member: MemberInfo) => (
      <RowMenu
        label={t('members.menu', { name: member.name })}
        actions={[
          {
            title: t('members.change'),
            icon: <IconPencil size={16} />,
            onClick: () => change(member),
          },
          {
            title: t('members.remove'),
            icon: <IconUserMinus size={16} />,
            isDangerous: true,
            disabledBecause: member._id === onlyOwner ? t('members.onlyOwner', { name: member.name }) : null,
            onClick: () => setOpen({ action: 'remove', member }),
          },
        ]}
      />
    ),
    [t, change, onlyOwner],
  );
  const narrow = useCallback(
    (member: MemberInfo) => <NarrowMember member={member} me={user._id} />,
    [user._id],
  );

  if (error) return <ErrorState title={t('members.failed')} error={error} onRetry={() => void refetch()} />;
  return (
    <>
      {canManage ? (
        <PageAction>
          <InviteButton />
        </PageAction>
      ) : null}
      <DataTable
        label={t('members.users')}
        name="members"
        columns={columns}
        rows={members}
        rowId={idOf}
        sort={address.sort}
        onSort={address.setSort}
        find={{ label: t('members.search'), q: address.q, setQ: address.setQ }}
        toolbar={
          canManage ? (
            <div className={classes.policy}>
              <MfaPolicy />
            </div>
          ) : null
        }
        narrow={narrow}
        {...(canManage ? { bulk: BULK, actions: menuOf, onOpen: change } : {})}
        empty={<EmptyState title={t('members.none')} />}
      />
      {open?.action === 'change' ? (
        <MemberDialog
          member={open.member}
          isOnlyOwner={open.member._id === onlyOwner}
          onRemove={() => setOpen({ action: 'remove', member: open.member })}
          onClose={close}
        />
      ) : null}
      {open?.action === 'remove' ? (
        <ConfirmDialog
          onClose={close}
          onConfirm={async () => {
            await removeMember(workgroup, open.member._id);
            notifyDone(t('members.removed', { name: open.member.name }));
          }}
        >
          {open.member._id === user._id
            ? t('members.removeOneself')
            : t('members.removeText', { name: open.member.name })}
        </ConfirmDialog>
      ) : null}
    </>
  );
}

interface Known {
  groups: DeviceGroup[] | undefined;
  now: number;
  /** Id of who looks. */
  me: string;
}

function memberColumns(t: TFunction, { groups, now, me }: Known): Column<MemberInfo>[] {
  const names = new Map(groups?.map(({ _id, name }) => [_id, name]));
  return [
    {
      id: 'name',
      title: t('profile.name'),
      value: (row) => row.name,
      cell: (row) => <Name member={row} me={me} />,
      width: 190,
      isFixed: true,
    },
    { id: 'email', title: t('login.email'), value: (row) => row.email, width: 230 },
    { id: 'role', title: t('members.role'), value: (row) => t(`members.roles.${row.role}`), width: 90 },
    { id: 'mfa', title: t('members.secondFactor'), value: (row) => secondFactorText(t, row), width: 140 },
    {
      id: 'lastSignInAt',
      title: t('members.lastSignIn'),
      value: (row) => row.lastSignInAt,
      text: (row) => signInText(t, row),
      cell: (row) =>
        row.lastSignInAt === null ? (
          t('members.never')
        ) : (
          <span title={signInText(t, row)}>{agoText(row.lastSignInAt, now)}</span>
        ),
      width: 120,
    },
    {
      id: 'deviceGroup',
      title: t('members.deviceGroup'),
      value: ({ devGroup }) => devGroup && (names.get(devGroup) ?? devGroup),
      width: 150,
    },
    {
      id: 'permissions',
      title: t('members.permissions'),
      value: (row) => permissionText(t, row),
      width: 360,
    },
  ];
}

function Name({ member, me }: { member: MemberInfo; me: string }) {
  const { t } = useTranslation();
  return (
    <>
      {member.name}
      {member._id === me ? <span className={`words ${classes.you}`}> ({t('members.you')})</span> : null}
    </>
  );
}

function NarrowMember({ member, me }: { member: MemberInfo; me: string }) {
  const { t } = useTranslation();
  return (
    <NarrowRow title={<Name member={member} me={me} />}>
      {t(`members.roles.${member.role}`)} · {member.email}
    </NarrowRow>
  );
}

function secondFactorText(t: TFunction, { hasMfa, mfaRequired }: MemberInfo): string {
  if (hasMfa) return t('members.mfaOn');
  return mfaRequired ? t('members.mfaMissing') : t('members.mfaOff');
}
