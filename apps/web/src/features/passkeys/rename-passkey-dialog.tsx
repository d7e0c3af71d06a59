import type { Passkey } from '@albedo/contract/passkeys/passkeys.schema';
import { Button, Modal, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSubmit } from '../../app/use-submit.ts';
import { Failure } from '../../ui/failure.tsx';
import classes from './passkeys.module.css';
import { renamePasskey } from './passkeys.queries.ts';

export function RenamePasskeyDialog({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const { t } = useTranslation();
  const [name, setName] = useState(passkey.name);

  const { isWorking, fault, trouble, handleSubmit } = useSubmit(async () => {
    await renamePasskey(passkey, name.trim());
    onClose();
  });

  return (
    <Modal
      opened
      onClose={onClose}
      title={t('passkeys.rename', { name: passkey.name })}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <form className={classes.form} onSubmit={handleSubmit}>
        <TextInput
          data-autofocus
          label={t('passkeys.name')}
          maxLength={80}
          value={name}
          error={fault}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Failure text={trouble} />
        <div className={classes.end}>
          <Button variant="default" onClick={onClose}>
            {t('actions.cancel')}
          </Button>
          <Button
            type="submit"
            loading={isWorking}
            disabled={name.trim() === '' || name.trim() === passkey.name}
          >
            {t('actions.save')}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
