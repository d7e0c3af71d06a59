import { type Passkey, passkeyName } from '@albedo/contract/passkeys/passkeys.schema';
import { useTranslation } from 'react-i18next';
import { NameDialog } from '../../app/name-dialog.tsx';
import { renamePasskey } from './passkeys.queries.ts';

export function RenamePasskeyDialog({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <NameDialog
      mustChange
      title={t('passkeys.rename', { name: passkey.name })}
      label={t('passkeys.name')}
      name={passkey.name}
      schema={passkeyName}
      onSave={(name) => renamePasskey(passkey, name)}
      onClose={onClose}
    />
  );
}
