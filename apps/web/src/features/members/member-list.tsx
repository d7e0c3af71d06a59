import type { DeviceGroup } from '@albedo/contract/device-groups/device-groups.schema';
import type { MemberInfo } from '@albedo/contract/members/members.schema';
import { IconDevices, IconPencil, IconUserMinus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { BulkAction, RowAction } from '../../app/list/actions.ts';
import { ListTable } from '../../app/list/list-table.tsx';
import { useList } from '../../app/list/use-list.ts';
import { notifyDone } from '../../app/notify.ts';
import { useNow } from '../../app/now.ts';
import { usePermission } from '../../app/permissions.ts';
import { useSignedIn } from '../../app/session.ts';
import type { Column } from '../../ui/data-table/column.ts';
import { NarrowRow } from '../../ui/data-table/narrow-row.tsx';
import { PageAction } from '../../ui/page.tsx';
import { severalNames } from '../../ui/several-names.ts';
import { EmptyState } from '../../ui/states.tsx';
import { agoText } from '../../ui/units/durations.ts';
import { deviceGroupsQuery } from '../device-groups/device-groups.queries.ts';
import { InviteButton } from './invite-button.tsx';
import { MemberDialog } from './member-dialog.tsx';
import classes from './members.module.css';
import { membersQuery, removeMember, removeMembers } from './members.queries.ts';
import { MembersGroupDialog } from './members-group-dialog.tsx';
import { MfaPolicy } from './mfa-policy.tsx';
import { permissionText } from './permission-text.ts';
import { signInText } from './sign-in-text.ts';

const idOf = (member: MemberInfo): string => member._id;
const nameOf = ({ name }: MemberInfo): string => name;

/** Who belongs to the workgroup and what they may do. */
export function MemberList() {
  const { t } = useTranslation();
  const { user, workgroup } = useSignedIn();
  const canManage = usePermission('manageAccess');
  const list = useList({ query: membersQuery(workgroup), sort: 'name' });
  const owners = list.all?.filter(({ role }) => role === 'owner');
  const onlyOwner = owners?.length === 1 ? owners[0]?._id : undefined;
  const { data: groups } = useQuery({ ...deviceGroupsQuery(workgroup), enabled: canManage });
  const now = useNow(60_000);
  const columns = useMemo(() => memberColumns(t, { groups, now, me: user._id }), [t, groups, now, user._id]);
  const actions = useMemo(
    () => memberActions(t, { wg: workgroup, me: user._id, onlyOwner }),
    [t, workgroup, user._id, onlyOwner],
  );
  return (
    <>
      {canManage ? (
        <PageAction>
          <InviteButton />
        </PageAction>
      ) : null}
      <ListTable
        {...(canManage ? { ...actions, onOpen: 'change' } : {})}
        list={list}
        label={t('members.users')}
        failed={t('members.failed')}
        name="members"
        columns={columns}
        rowId={idOf}
        search={t('members.search')}
        toolbar={
          canManage ? (
            <div className={classes.policy}>
              <MfaPolicy />
            </div>
          ) : null
        }
        Narrow={NarrowMember}
        empty={<EmptyState title={t('members.none')} />}
      />
    </>
  );
}

interface Change {
  wg: string;
  /** Id of the person who looks. */
  me: string;
  /** Id of the owner where there is only one. */
  onlyOwner: string | undefined;
}

function memberActions(t: TFunction, { wg, me, onlyOwner }: Change) {
  const ofOne = (member: MemberInfo): RowAction<MemberInfo>[] => [
    {
      id: 'change',
      title: t('members.change'),
      icon: <IconPencil size={16} />,
      dialog: (row, { close, start }) => (
        <MemberDialog
          member={row}
          isOnlyOwner={row._id === onlyOwner}
          onRemove={() => start('remove')}
          onClose={close}
        />
      ),
    },
    {
      id: 'remove',
      title: t('members.remove'),
      icon: <IconUserMinus size={16} />,
      isDangerous: true,
      disabledBecause: member._id === onlyOwner ? t('members.onlyOwner', { name: member.name }) : null,
      ask: {
        text: member._id === me ? t('members.removeOneself') : t('members.removeText', { name: member.name }),
      },
      run: async () => {
        await removeMember(wg, member._id);
        notifyDone(t('members.removed', { name: member.name }));
      },
    },
  ];
  // The person who does it is left out.
  const of = (rows: readonly MemberInfo[]) => rows.filter(({ _id }) => _id !== me);
  const ofSeveral: BulkAction<MemberInfo>[] = [
    {
      id: 'group',
      title: t('members.deviceGroup'),
      icon: <IconDevices size={16} />,
      of,
      dialog: (rows, { close, untick }) => (
        <MembersGroupDialog members={rows} onDone={untick} onClose={close} />
      ),
    },
    {
      id: 'remove',
      title: t('members.removeShort'),
      icon: <IconUserMinus size={16} />,
      isDangerous: true,
      of,
      ask: (rows) => ({
        text: `${t('members.removeMany', { count: rows.length })} ${severalNames(t, rows.map(nameOf))}`,
      }),
      run: (ids) => removeMembers(wg, ids),
      done: ({ length: count }) => t('members.removedMany', { count }),
    },
  ];
  return {
    menu: { label: ({ name }: MemberInfo) => t('members.menu', { name }), actions: ofOne },
    bulk: { nameOf, actions: ofSeveral },
  };
}

interface Known {
  groups: DeviceGroup[] | undefined;
  now: number;
  /** Id of the person who looks. */
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
    { id: 'email', title: t('login.email'), value: (row) => row.email, width: 230, importance: 6 },
    {
      id: 'role',
      title: t('members.role'),
      value: (row) => t(`members.roles.${row.role}`),
      width: 90,
      importance: 5,
    },
    {
      id: 'mfa',
      title: t('members.secondFactor'),
      value: (row) => secondFactorText(t, row),
      width: 140,
      importance: 4,
      alarms: isWithoutFactor,
    },
    {
      id: 'lastSignInAt',
      title: t('members.lastSignIn'),
      value: (row) => row.lastSignInAt,
      isTime: true,
      text: (row) => signInText(t, row),
      cell: (row) =>
        row.lastSignInAt === null ? (
          t('members.never')
        ) : (
          <span title={signInText(t, row)}>{agoText(row.lastSignInAt, now)}</span>
        ),
      width: 120,
      importance: 3,
    },
    {
      id: 'deviceGroup',
      title: t('members.deviceGroup'),
      value: ({ devGroup }) => devGroup && (names.get(devGroup) ?? devGroup),
      width: 150,
      importance: 1,
    },
    {
      id: 'permissions',
      title: t('members.permissions'),
      value: (row) => permissionText(t, row),
      width: 180,
      importance: 2,
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

function NarrowMember({ row: member }: { row: MemberInfo }) {
  const { t } = useTranslation();
  const me = useSignedIn().user._id;
  return (
    <NarrowRow title={<Name member={member} me={me} />}>
      {t(`members.roles.${member.role}`)} · {member.email}
    </NarrowRow>
  );
}

/** Has to set up a second factor, and has none yet. */
const isWithoutFactor = ({ hasMfa, mfaRequired }: MemberInfo): boolean => mfaRequired && !hasMfa;

function secondFactorText(t: TFunction, member: MemberInfo): string {
  if (member.hasMfa) return t('members.mfaOn');
  return t(isWithoutFactor(member) ? 'members.mfaMissing' : 'members.mfaOff');
}
