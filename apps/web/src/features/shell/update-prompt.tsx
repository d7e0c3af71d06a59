import { sessionsApi } from '@albedo/contract/sessions/sessions.api';
import { Button, Group, Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../app/call.ts';
import { snoozeUpdate, useUpdateState } from '../../app/update.ts';
import classes from './shell.module.css';

/** How often the server is asked for its version. Source: specification 1, section 9. */
const CHECK_MS = 60_000;

/** A newer web app is served than the one that runs: a dialog, and after 'later' a small bar. */
export function UpdatePrompt() {
  const { t } = useTranslation();
  const state = useUpdateState();
  useQuery({
    queryKey: ['version'],
    queryFn: ({ signal }) => call(sessionsApi.version, {}, signal),
    refetchInterval: CHECK_MS,
  });
  const refresh = () => window.location.reload();
  if (state === 'snoozed') {
    return (
      <div className={classes.updateBar} role="status">
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
