import type { UserEntry } from '@albedo/contract/workgroups/workgroup-admin.schema';
import { useDebouncedValue } from '@mantine/hooks';
import { IconMailForward, IconShieldLock } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../app/confirm-dialog.tsx';
import { notifyDone } from '../../app/notify.ts';
import type { Column } from '../../ui/data-table/column.ts';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import { NarrowRow } from '../../ui/data-table/narrow-row.tsx';
import { TableSearch } from '../../ui/data-table/table-search.tsx';
import { useTableAddress } from '../../ui/data-table/use-table-address.ts';
import { RowMenu } from '../../ui/row-menu.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { userZone } from '../../ui/time-range/time-zone.ts';
import { formatInstant } from '../../ui/time-range/zoned-time.ts';
import { requireMfa, sendReset, usersQuery } from './workgroup-admin.queries.ts';

const idOf = (row: UserEntry): string => row._id;

/** All accounts, for the staff. */
export function UserTable() {
  const { t } = useTranslation();
  const address = useTableAddress('email');
  const [search] = useDebouncedValue(address.q.trim(), 200);
  const { data, error, refetch } = useQuery(usersQuery(search));
  const [open, setOpen] = useState<{ action: 'reset' | 'mfa'; row: UserEntry } | null>(null);
  const columns = useMemo(() => columnsOf(t), [t]);
  const narrow = useCallback((row: UserEntry) => <NarrowUser row={row} />, []);
  const menuOf = useCallback(
    (row: UserEntry) => (
      <RowMenu
        label={t('workgroupAdmin.actions', { name: row.email })}
        actions={[
          ...(row.hasPassword
            ? [
                {
                  title: t('workgroupAdmin.sendReset'),
                  icon: <IconMailForward size={16} />,
                  onClick: () => setOpen({ action: 'reset', row }),
                },
              ]
            : []),
          {
            title: t(row.mfaRequired ? 'workgroupAdmin.mfaOptional' : 'workgroupAdmin.requireMfa'),
            icon: <IconShieldLock size={16} />,
            onClick: () => setOpen({ action: 'mfa', row }),
          },
        ]}
      />
    ),
    [t],
  );

  const field = <TableSearch label={t('workgroupAdmin.searchUsers')} q={address.q} setQ={address.setQ} />;

  return (
    <>
      {error && !data ? (
        <ErrorState title={t('workgroupAdmin.usersFailed')} error={error} onRetry={() => void refetch()} />
      ) : (
        <DataTable
          label={t('opsteam.tabs.users')}
          name="accounts"
          columns={columns}
          rows={data}
          rowId={idOf}
          sort={address.sort}
          onSort={address.setSort}
          toolbar={field}
          narrow={narrow}
          actions={menuOf}
          empty={<EmptyState title={t('workgroupAdmin.noUsers')} text={t('workgroupAdmin.noUsersText')} />}
        />
      )}
      {open ? (
        <ConfirmDialog
          isHarmless
          onClose={() => setOpen(null)}
          onConfirm={async () => {
            const { email, _id, mfaRequired } = open.row;
            if (open.action === 'reset') await sendReset(_id);
            else await requireMfa(_id, !mfaRequired);
            notifyDone(
              t(open.action === 'reset' ? 'workgroupAdmin.resetSent' : 'workgroupAdmin.userChanged', {
                email,
              }),
            );
          }}
        >
          {open.action === 'reset'
            ? t('workgroupAdmin.resetText', { email: open.row.email })
            : t(open.row.mfaRequired ? 'workgroupAdmin.mfaOptionalText' : 'workgroupAdmin.requireMfaText', {
                email: open.row.email,
              })}
        </ConfirmDialog>
      ) : null}
    </>
  );
}

function columnsOf(t: TFunction): Column<UserEntry>[] {
  return [
    { id: 'email', title: t('login.email'), value: (row) => row.email, width: 240, isFixed: true },
    { id: 'name', title: t('workgroupAdmin.name'), value: (row) => row.name, width: 170 },
    {
      id: 'workgroups',
      title: t('workgroupAdmin.workgroups'),
      value: (row) => row.workgroups.join(', '),
      width: 220,
    },
    { id: 'mfa', title: t('workgroupAdmin.secondFactor'), value: (row) => mfaText(t, row), width: 140 },
    {
      id: 'password',
      title: t('members.signsIn'),
      value: (row) => t(row.hasPassword ? 'members.byPassword' : 'members.bySso'),
      width: 130,
    },
    {
      id: 'lastSignInAt',
      title: t('workgroupAdmin.lastSignIn'),
      value: (row) => row.lastSignInAt,
      text: (row) => signInText(t, row),
      width: 150,
    },
    {
      id: 'staff',
      title: t('workgroupAdmin.staff'),
      value: (row) => (row.isStaff ? t('workgroupAdmin.yes') : ''),
      width: 80,
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
