import type { UserEntry } from '@albedo/contract/user-admin/user-admin.schema';
import { useDebouncedValue } from '@mantine/hooks';
import { IconLogout, IconMailForward, IconShieldLock } from '@tabler/icons-react';
import { useSearch } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { RowAction } from '../../app/list/actions.ts';
import { ListTable } from '../../app/list/list-table.tsx';
import { useList } from '../../app/list/use-list.ts';
import { notifyDone } from '../../app/notify.ts';
import type { Column } from '../../ui/data-table/column.ts';
import { NarrowRow } from '../../ui/data-table/narrow-row.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { userZone } from '../../ui/time-range/time-zone.ts';
import { formatInstant } from '../../ui/time-range/zoned-time.ts';
import { endSessionsOf, requireMfa, sendReset, usersQuery } from './workgroup-admin.queries.ts';

const idOf = (row: UserEntry): string => row._id;

/** All accounts, for the staff. */
export function UserTable() {
  const { t } = useTranslation();
  const { q } = useSearch({ strict: false }) as { q?: unknown };
  const [search] = useDebouncedValue(q === undefined ? '' : String(q).trim(), 200);
  const list = useList({ query: usersQuery(search), sort: 'email' });
  const columns = useMemo(() => columnsOf(t), [t]);
  const menu = useMemo(() => userMenu(t), [t]);
  return (
    <ListTable
      list={list}
      label={t('opsteam.tabs.users')}
      failed={t('workgroupAdmin.usersFailed')}
      name="accounts"
      columns={columns}
      rowId={idOf}
      search={{ label: t('workgroupAdmin.searchUsers'), isDone: true }}
      Narrow={NarrowUser}
      menu={menu}
      empty={<EmptyState title={t('workgroupAdmin.noUsers')} text={t('workgroupAdmin.noUsersText')} />}
    />
  );
}

function userMenu(t: TFunction) {
  const actions = ({ _id, email, hasPassword, mfaRequired }: UserEntry): RowAction<UserEntry>[] => {
    const reset: RowAction<UserEntry> = {
      id: 'reset',
      title: t('workgroupAdmin.sendReset'),
      icon: <IconMailForward size={16} />,
      ask: { text: t('workgroupAdmin.resetText', { email }), isHarmless: true },
      run: async () => {
        await sendReset(_id);
        notifyDone(t('workgroupAdmin.resetSent', { email }));
      },
    };
    return [
      ...(hasPassword ? [reset] : []),
      {
        id: 'mfa',
        title: t(mfaRequired ? 'workgroupAdmin.mfaOptional' : 'workgroupAdmin.requireMfa'),
        icon: <IconShieldLock size={16} />,
        ask: {
          text: t(mfaRequired ? 'workgroupAdmin.mfaOptionalText' : 'workgroupAdmin.requireMfaText', {
            email,
          }),
          isHarmless: true,
        },
        run: async () => {
          await requireMfa(_id, !mfaRequired);
          notifyDone(t('workgroupAdmin.userChanged', { email }));
        },
      },
      {
        id: 'sessions',
        title: t('workgroupAdmin.endSessions'),
        icon: <IconLogout size={16} />,
        ask: { text: t('workgroupAdmin.endSessionsText', { email }), isHarmless: true },
        run: async () => {
          await endSessionsOf(_id);
          notifyDone(t('workgroupAdmin.sessionsEnded', { email }));
        },
      },
    ];
  };
  return { label: ({ email }: UserEntry) => t('workgroupAdmin.actions', { name: email }), actions };
}

function columnsOf(t: TFunction): Column<UserEntry>[] {
  return [
    { id: 'email', title: t('login.email'), value: (row) => row.email, width: 240, isFixed: true },
    { id: 'name', title: t('workgroupAdmin.name'), value: (row) => row.name, width: 170, importance: 5 },
    {
      id: 'workgroups',
      title: t('workgroupAdmin.workgroups'),
      value: (row) => row.workgroups.join(', '),
      width: 220,
      importance: 6,
    },
    {
      id: 'mfa',
      title: t('workgroupAdmin.secondFactor'),
      value: (row) => mfaText(t, row),
      width: 140,
      importance: 3,
    },
    {
      id: 'password',
      title: t('members.signsIn'),
      value: (row) => t(row.hasPassword ? 'members.byPassword' : 'members.bySso'),
      width: 130,
      importance: 1,
    },
    {
      id: 'lastSignInAt',
      title: t('workgroupAdmin.lastSignIn'),
      value: (row) => row.lastSignInAt,
      isTime: true,
      text: (row) => signInText(t, row),
      width: 150,
      importance: 4,
    },
    {
      id: 'staff',
      title: t('workgroupAdmin.staff'),
      value: (row) => (row.isStaff ? t('workgroupAdmin.yes') : ''),
      width: 80,
      importance: 2,
    },
  ];
}

const signInText = (t: TFunction, { lastSignInAt }: UserEntry): string =>
  lastSignInAt === null ? t('workgroupAdmin.never') : formatInstant(lastSignInAt, userZone(), false);

const mfaText = (t: TFunction, { hasMfa, mfaRequired }: UserEntry): string =>
  t(hasMfa ? 'workgroupAdmin.mfaOn' : mfaRequired ? 'workgroupAdmin.mfaMissing' : 'workgroupAdmin.mfaOff');

function NarrowUser({ row }: { row: UserEntry }) {
  const { t } = useTranslation();
  return (
    <NarrowRow title={row.email}>
      {[signInText(t, row), row.workgroups.join(', ') || row.name].filter(Boolean).join(' · ')}
    </NarrowRow>
  );
}
