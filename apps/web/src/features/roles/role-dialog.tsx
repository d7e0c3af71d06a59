import { type NewUserRole, newUserRole, type UserRole } from '@albedo/contract/roles/roles.schema';
import { MultiSelect, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Faults, faultsOf } from '../../app/faults.ts';
import { notifyDone } from '../../app/notify.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useSubmit } from '../../app/use-submit.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { membersQuery } from '../members/members.queries.ts';
import { saveRole } from './roles.queries.ts';

/** Makes a role, or changes one. */
export function RoleDialog({ role, onClose }: { role: UserRole | null; onClose: () => void }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { data: users = [] } = useQuery(membersQuery(wg));
  const [name, setName] = useState(role?.name ?? '');
  const [description, setDescription] = useState(role?.description ?? '');
  const [members, setMembers] = useState(role?.members ?? []);
  const [faults, setFaults] = useState<Faults<NewUserRole>>({});

  const { isWorking, failure, handleSubmit } = useSubmit(async () => {
    const parsed = newUserRole.safeParse({ name, description, members });
    setFaults(faultsOf(parsed.error));
    if (!parsed.success) return;
    await saveRole(wg, role?._id ?? null, parsed.data);
    notifyDone(t('roles.saved', { name: parsed.data.name }));
    onClose();
  });

  return (
    <FormDialog
      title={role ? t('roles.change', { name: role.name }) : t('roles.new')}
      isWorking={isWorking}
      failure={failure}
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      <TextInput
        data-autofocus
        label={t('roles.name')}
        autoComplete="off"
        value={name}
        error={faults.name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Textarea
        label={t('roles.description')}
        autosize
        minRows={2}
        maxLength={500}
        value={description}
        error={faults.description}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
      <MultiSelect
        label={t('roles.members')}
        searchable
        clearable
        value={members}
        error={faults.members}
        data={users.map(({ _id, name: called, email }) => ({
          value: _id,
          label: `${called} (${email})`,
        }))}
        onChange={setMembers}
      />
    </FormDialog>
  );
}
