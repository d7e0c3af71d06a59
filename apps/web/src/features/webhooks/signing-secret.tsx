import type { SavedWebhook } from '@albedo/contract/webhooks/webhooks.schema';
import { useTranslation } from 'react-i18next';
import rows from '../../ui/row-list.module.css';
import { Secret } from '../../ui/secret.tsx';
import { ShownOnceDialog } from '../../ui/shown-once-dialog.tsx';

/** The secret that messages to a webhook are signed with. */
export function SigningSecret({ webhook, onClose }: { webhook: SavedWebhook; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <ShownOnceDialog
      title={t('webhooks.secretTitle', { name: webhook.name })}
      kept={t('webhooks.kept')}
      onClose={onClose}
    >
      <p className={rows.words}>{t('webhooks.secretOnce')}</p>
      <Secret value={webhook.secret ?? ''} label={t('webhooks.secret')} />
      {webhook.oldSecretUntil === null ? null : <p className={rows.words}>{t('webhooks.secretBoth')}</p>}
    </ShownOnceDialog>
  );
}
