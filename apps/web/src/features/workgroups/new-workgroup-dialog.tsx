import { Button, Group, Modal, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { messageOf, notifyDone } from '../../app/notify.ts';
import { createWorkgroup } from './workgroup-admin.queries.ts';
import classes from './workgroups.module.css';

/** Makes a workgroup and invites who becomes its first owner. */
export function NewWorkgroupDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const [orgDisplay, setOrgDisplay] = useState('');
  const [plan, setPlan] = useState('');
  const [ownerEmail, setOwnerEmail] = useState('');
  const [isWorking, setWorking] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  async function handleSubmit(event: FormEvent) {
    event.preventDefault();
    setWorking(true);
    setFailure(null);
    try {
      await createWorkgroup({ orgDisplay, plan, ownerEmail });
      notifyDone(t('ops.createdDone', { name: orgDisplay, email: ownerEmail }));
      onClose();
    } catch (error) {
      setFailure(messageOf(error));
      setWorking(false);
    }
  }

  return (
    <Modal
      opened
      onClose={onClose}
      title={t('ops.create')}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <form className={classes.form} onSubmit={(event) => void handleSubmit(event)}>
        <TextInput
          data-autofocus
          label={t('workgroup.settings.displayName')}
          maxLength={120}
          value={orgDisplay}
          onChange={(event) => setOrgDisplay(event.currentTarget.value)}
        />
        <TextInput
          label={t('ops.plan')}
          description={t('ops.planHelp')}
          maxLength={80}
          value={plan}
          onChange={(event) => setPlan(event.currentTarget.value)}
        />
        <TextInput
          type="email"
          label={t('ops.ownerEmail')}
          description={t('ops.ownerEmailHelp')}
          value={ownerEmail}
          error={failure}
          onChange={(event) => setOwnerEmail(event.currentTarget.value)}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t('actions.cancel')}
          </Button>
          <Button
            type="submit"
            loading={isWorking}
            disabled={orgDisplay.trim() === '' || ownerEmail.trim() === ''}
          >
            {t('ops.create')}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
