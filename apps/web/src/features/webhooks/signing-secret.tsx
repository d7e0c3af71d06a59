import type { SavedWebhook } from '@albedo/contract/webhooks/webhooks.schema';
import { Button, Group, Modal, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Secret } from '../../ui/secret.tsx';
import classes from './webhooks.module.css';

/** Shown once, so only its button closes it. */
export function SigningSecret({ webhook, onClose }: { webhook: SavedWebhook; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={t('webhooks.secretTitle', { name: webhook.name })}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Stack gap="sm">
        <p className={classes.words}>{t('webhooks.secretOnce')}</p>
        <Secret value={webhook.secret ?? ''} label={t('webhooks.secret')} />
        {webhook.oldSecretUntil === null ? null : <p className={classes.words}>{t('webhooks.secretBoth')}</p>}
      </Stack>
      <Group justify="flex-end" mt="lg">
        <Button onClick={onClose}>{t('webhooks.kept')}</Button>
      </Group>
    </Modal>
  );
}
