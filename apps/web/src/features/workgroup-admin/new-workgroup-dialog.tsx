import { type NewWorkgroupRequest, newWorkgroup } from '@albedo/contract/workgroups/workgroup-admin.schema';
import { Modal, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Faults, faultsOf } from '../../app/faults.ts';
import { notifyDone } from '../../app/notify.ts';
import { useSubmit } from '../../app/use-submit.ts';
import { Failure } from '../../ui/failure.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import classes from './workgroup-admin.module.css';
import { createWorkgroup } from './workgroup-admin.queries.ts';

/** Makes a workgroup and invites who becomes its first owner. */
export function NewWorkgroupDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const [orgDisplay, setOrgDisplay] = useState('');
  const [plan, setPlan] = useState('');
  const [ownerEmail, setOwnerEmail] = useState('');
  const [faults, setFaults] = useState<Faults<NewWorkgroupRequest>>({});

  const { isWorking, failure, handleSubmit } = useSubmit(async () => {
    const { data, error } = newWorkgroup.safeParse({ orgDisplay, plan, ownerEmail });
    setFaults(faultsOf(error));
    if (!data) return;
    await createWorkgroup(data);
    notifyDone(t('workgroupAdmin.createdDone', { name: data.orgDisplay, email: data.ownerEmail }));
    onClose();
  });

  return (
    <Modal
      opened
      onClose={onClose}
      title={t('workgroupAdmin.create')}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <form noValidate className={classes.form} onSubmit={handleSubmit}>
        <TextInput
          data-autofocus
          label={t('workgroup.settings.displayName')}
          maxLength={120}
          value={orgDisplay}
          error={faults.orgDisplay}
          onChange={(event) => setOrgDisplay(event.currentTarget.value)}
        />
        <TextInput
          label={t('workgroupAdmin.plan')}
          description={t('workgroupAdmin.planHelp')}
          maxLength={80}
          value={plan}
          error={faults.plan}
          onChange={(event) => setPlan(event.currentTarget.value)}
        />
        <TextInput
          inputMode="email"
          autoComplete="off"
          label={t('workgroupAdmin.ownerEmail')}
          description={t('workgroupAdmin.ownerEmailHelp')}
          value={ownerEmail}
          error={faults.ownerEmail}
          onChange={(event) => setOwnerEmail(event.currentTarget.value)}
        />
        <Failure text={failure} />
        <FormButtons
          submit={t('workgroupAdmin.create')}
          isWorking={isWorking}
          isDisabled={orgDisplay.trim() === '' || ownerEmail.trim() === ''}
          onCancel={onClose}
        />
      </form>
    </Modal>
  );
}
