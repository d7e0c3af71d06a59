import { Modal, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notifyDone } from '../../app/notify.ts';
import { useSubmit } from '../../app/use-submit.ts';
import { Failure } from '../../ui/failure.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { createWorkgroup } from './workgroup-admin.queries.ts';
import classes from './workgroups.module.css';

/** Makes a workgroup and invites who becomes its first owner. */
export function NewWorkgroupDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const [orgDisplay, setOrgDisplay] = useState('');
  const [plan, setPlan] = useState('');
  const [ownerEmail, setOwnerEmail] = useState('');

  const { isWorking, failure, handleSubmit } = useSubmit(async () => {
    await createWorkgroup({ orgDisplay, plan, ownerEmail });
    notifyDone(t('workgroupAdmin.createdDone', { name: orgDisplay, email: ownerEmail }));
    onClose();
  });

  return (
    <Modal
      opened
      onClose={onClose}
      title={t('workgroupAdmin.create')}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <form className={classes.form} onSubmit={handleSubmit}>
        <TextInput
          data-autofocus
          label={t('workgroup.settings.displayName')}
          maxLength={120}
          value={orgDisplay}
          onChange={(event) => setOrgDisplay(event.currentTarget.value)}
        />
        <TextInput
          label={t('workgroupAdmin.plan')}
          description={t('workgroupAdmin.planHelp')}
          maxLength={80}
          value={plan}
          onChange={(event) => setPlan(event.currentTarget.value)}
        />
        <TextInput
          type="email"
          label={t('workgroupAdmin.ownerEmail')}
          description={t('workgroupAdmin.ownerEmailHelp')}
          value={ownerEmail}
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
