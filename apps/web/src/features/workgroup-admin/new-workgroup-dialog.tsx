import { newWorkgroup } from '@albedo/contract/workgroup-admin/workgroup-admin.schema';
import { Autocomplete, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { MfaChoice } from '../../app/mfa-choice.tsx';
import { notifyDone } from '../../app/notify.ts';
import { useContractForm } from '../../app/use-contract-form.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { plansQuery } from '../installation/installation.queries.ts';
import { createWorkgroup } from './workgroup-admin.queries.ts';

/** Makes a workgroup and invites who becomes its first owner. */
export function NewWorkgroupDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const { data: plans } = useQuery(plansQuery);
  const { values, set, field, dialog } = useContractForm({
    schema: newWorkgroup,
    initial: { orgDisplay: '', plan: '', ownerEmail: '', mfaRequired: undefined as boolean | undefined },
    send: async (value) => {
      await createWorkgroup(value);
      notifyDone(t('workgroupAdmin.createdDone', { name: value.orgDisplay, email: value.ownerEmail }));
      onClose();
    },
  });
  return (
    <FormDialog
      {...dialog}
      title={t('workgroupAdmin.create')}
      submit={t('workgroupAdmin.create')}
      isDisabled={values.orgDisplay.trim() === '' || values.ownerEmail.trim() === ''}
      onClose={onClose}
    >
      <TextInput
        {...field('orgDisplay')}
        data-autofocus
        label={t('workgroup.settings.displayName')}
        maxLength={120}
      />
      <Autocomplete
        {...field('plan')}
        data={(plans ?? []).map(({ name }) => name)}
        label={t('workgroupAdmin.plan')}
        description={t('workgroupAdmin.planHelp')}
        maxLength={80}
      />
      <TextInput
        {...field('ownerEmail')}
        inputMode="email"
        autoComplete="off"
        label={t('workgroupAdmin.ownerEmail')}
        description={t('workgroupAdmin.ownerEmailHelp')}
      />
      <MfaChoice value={values.mfaRequired} onChange={(mfaRequired) => set({ mfaRequired })} />
    </FormDialog>
  );
}
