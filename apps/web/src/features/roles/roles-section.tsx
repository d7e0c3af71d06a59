import type { UserRole } from '@albedo/contract/roles/roles.schema';
import { Button } from '@mantine/core';
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../app/confirm-dialog.tsx';
import { notifyDone } from '../../app/notify.ts';
import { useWorkgroup } from '../../app/session.ts';
import { RowMenu } from '../../ui/row-menu.tsx';
import { Section } from '../../ui/section.tsx';
import { EmptyState, ErrorState, TableSkeleton } from '../../ui/states.tsx';
import { localeTag } from '../../ui/units/locale.ts';
import { membersQuery } from '../members/members.queries.ts';
import { RoleDialog } from './role-dialog.tsx';
import classes from './roles.module.css';
import { removeRole, rolesQuery } from './roles.queries.ts';

/** The roles of the workgroup: named sets of users, which rules can name. */
export function RolesSection({ onChanged }: { onChanged: () => void }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { data: roles, error, refetch } = useQuery(rolesQuery(wg));
  const [open, setOpen] = useState<'new' | { action: 'change' | 'remove'; role: UserRole } | null>(null);
  const close = () => setOpen(null);
  const isRemoving = open !== null && open !== 'new' && open.action === 'remove';
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
          onClick={() => setOpen('new')}
        >
          {t('roles.new')}
        </Button>
      }
    >
      {error ? (
        <ErrorState title={t('roles.failed')} error={error} onRetry={() => void refetch()} />
      ) : !roles ? (
        <TableSkeleton rows={2} />
      ) : roles.length === 0 ? (
        <EmptyState title={t('roles.none')} text={t('roles.noneText')} />
      ) : (
        <ul className={classes.list}>
          {roles.map((role) => (
            <Role key={role._id} role={role} onOpen={(action) => setOpen({ action, role })} />
          ))}
        </ul>
      )}
      {open !== null && !isRemoving ? (
        <RoleDialog role={open === 'new' ? null : open.role} onClose={close} />
      ) : null}
      {isRemoving ? (
        <ConfirmDialog
          onClose={close}
          onConfirm={async () => {
            await removeRole(wg, open.role._id);
            notifyDone(t('roles.removed', { name: open.role.name }));
            onChanged();
          }}
        >
          {t('roles.removeText', { name: open.role.name })}
        </ConfirmDialog>
      ) : null}
    </Section>
  );
}

function Role({ role, onOpen }: { role: UserRole; onOpen: (action: 'change' | 'remove') => void }) {
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
      <RowMenu
        label={t('roles.menu', { name: role.name })}
        actions={[
          { title: t('roles.edit'), icon: <IconPencil size={16} />, onClick: () => onOpen('change') },
          {
            title: t('roles.remove'),
            icon: <IconTrash size={16} />,
            isDangerous: true,
            onClick: () => onOpen('remove'),
          },
        ]}
      />
    </li>
  );
}
