// The pages that anybody can open have the styles of a few pieces only.
import { Button, Group, Modal } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { snoozeUpdate, useUpdateState } from './update.ts';
import classes from './update-prompt.module.css';

/** A newer web app is served than the one that runs: a dialog, and after 'later' a small bar. */
export function UpdatePrompt() {
  const { t } = useTranslation();
  const state = useUpdateState();
  const refresh = () => window.location.reload();
  if (state === 'snoozed') {
    return (
      <div className={classes.bar} data-update-bar role="status">
        {t('update.text')}
        <Button size="compact-sm" onClick={refresh}>
          {t('update.short')}
        </Button>
      </div>
    );
  }
  return (
    <Modal
      opened={state === 'required'}
      onClose={snoozeUpdate}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      title={t('update.title')}
    >
      <p>{t('update.text')}</p>
      <p>{t('update.how')}</p>
      <Group justify="flex-end" gap="xs" mt="lg">
        <Button variant="default" onClick={snoozeUpdate}>
          {t('update.later')}
        </Button>
        <Button data-autofocus onClick={refresh}>
          {t('update.now')}
        </Button>
      </Group>
    </Modal>
  );
}
