import { newUserRole, type UserRole } from '@albedo/contract/roles/roles.schema';
import { MultiSelect, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { notifyDone } from '../../app/notify.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useContractForm } from '../../app/use-contract-form.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { membersQuery } from '../members/members.queries.ts';
import { saveRole } from './roles.queries.ts';

/** Makes a role, or changes one. */
export function RoleDialog({ role, onClose }: { role?: UserRole; onClose: () => void }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { data: users = [] } = useQuery(membersQuery(wg));
  const { field, dialog } = useContractForm({
    schema: newUserRole,
    initial: {
      name: role?.name ?? '',
      description: role?.description ?? '',
      members: role?.members ?? [],
    },
    refusals: { 'role.name_taken': 'name' },
    send: async (value) => {
      await saveRole(wg, role?._id ?? null, value);
      notifyDone(t('roles.saved', { name: value.name }));
      onClose();
    },
  });

  return (
    <FormDialog
      {...dialog}
      title={role ? t('roles.change', { name: role.name }) : t('roles.new')}
      onClose={onClose}
    >
      <TextInput {...field('name')} data-autofocus label={t('roles.name')} autoComplete="off" />
      <Textarea
        {...field('description')}
        label={t('roles.description')}
        autosize
        minRows={2}
        maxLength={500}
      />
      <MultiSelect
        {...field('members')}
        label={t('roles.members')}
        searchable
        clearable
        data={users.map(({ _id, name, email }) => ({
          value: _id,
          label: `${name} (${email})`,
        }))}
      />
    </FormDialog>
  );
}
