import type { Passkey } from '@albedo/contract/passkeys/passkeys.schema';
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSubmit } from '../../app/use-submit.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { renamePasskey } from './passkeys.queries.ts';

export function RenamePasskeyDialog({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const { t } = useTranslation();
  const [name, setName] = useState(passkey.name);

  const { isWorking, fault, trouble, handleSubmit } = useSubmit(async () => {
    await renamePasskey(passkey, name.trim());
    onClose();
  });

  return (
    <FormDialog
      title={t('passkeys.rename', { name: passkey.name })}
      isWorking={isWorking}
      isDisabled={name.trim() === '' || name.trim() === passkey.name}
      failure={trouble}
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      <TextInput
        data-autofocus
        label={t('passkeys.name')}
        maxLength={80}
        value={name}
        error={fault}
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
