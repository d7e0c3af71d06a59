import type { UserRole } from '@albedo/contract/roles/roles.schema';
import { Button } from '@mantine/core';
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RowAction } from '../../app/list/actions.ts';
import { useList } from '../../app/list/use-list.ts';
import { useRowActions } from '../../app/list/use-row-actions.tsx';
import { notifyDone } from '../../app/notify.ts';
import { useWorkgroup } from '../../app/session.ts';
import { Section } from '../../ui/section.tsx';
import { EmptyState, ErrorState, TableSkeleton } from '../../ui/states.tsx';
import { localeTag } from '../../ui/units/locale.ts';
import { membersQuery } from '../members/members.queries.ts';
import { RoleDialog } from './role-dialog.tsx';
import classes from './roles.module.css';
import { removeRole, rolesQuery } from './roles.queries.ts';

const idOf = ({ _id }: UserRole): string => _id;

/** The roles of the workgroup: named sets of users, which rules can name. */
export function RolesSection({ onChanged }: { onChanged: () => void }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { all: roles, error, retry } = useList({ query: rolesQuery(wg) });
  const [isCreating, setCreating] = useState(false);
  const menu = useMemo(
    () => ({
      label: ({ name }: UserRole) => t('roles.menu', { name }),
      actions: ({ _id, name }: UserRole): RowAction<UserRole>[] => [
        {
          id: 'change',
          title: t('roles.edit'),
          icon: <IconPencil size={16} />,
          dialog: (role, { close }) => <RoleDialog role={role} onClose={close} />,
        },
        {
          id: 'remove',
          title: t('roles.remove'),
          icon: <IconTrash size={16} />,
          isDangerous: true,
          ask: { text: t('roles.removeText', { name }) },
          run: async () => {
            await removeRole(wg, _id);
            notifyDone(t('roles.removed', { name }));
            onChanged();
          },
        },
      ],
    }),
    [t, wg, onChanged],
  );
  const { menuOf, dialogs } = useRowActions({ menu, rows: roles, rowId: idOf });
  return (
    <Section
      isFlush
      title={t('roles.title')}
      context={t('roles.context')}
      actions={
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={16} />}
          onClick={() => setCreating(true)}
        >
          {t('roles.new')}
        </Button>
      }
    >
      {error ? (
        <ErrorState title={t('roles.failed')} error={error} onRetry={retry} />
      ) : !roles ? (
        <TableSkeleton rows={2} />
      ) : roles.length === 0 ? (
        <EmptyState title={t('roles.none')} text={t('roles.noneText')} />
      ) : (
        <ul className={classes.list}>
          {roles.map((role) => (
            <Role key={role._id} role={role} actions={menuOf(role)} />
          ))}
        </ul>
      )}
      {isCreating ? <RoleDialog onClose={() => setCreating(false)} /> : null}
      {dialogs}
    </Section>
  );
}

function Role({ role, actions }: { role: UserRole; actions: ReactNode }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { data: users = [] } = useQuery(membersQuery(wg));
  const names = users.filter(({ _id }) => role.members.includes(_id)).map(({ name }) => name);
  const members = names.length > 0 ? new Intl.ListFormat(localeTag()).format(names) : t('roles.nobody');
  return (
    <li className={classes.role}>
      <div>
        <div className={classes.name}>{role.name}</div>
        <div className={classes.words}>
          {role.description ? `${role.description} · ` : ''}
          {members}
        </div>
      </div>
      {actions}
    </li>
  );
}
