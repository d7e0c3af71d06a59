import { Button, Modal, PasswordInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notifyDone } from '../../app/notify.ts';
import { useSubmit } from '../../app/use-submit.ts';
import { Failure } from '../../ui/failure.tsx';
import { Secret } from '../../ui/secret.tsx';
import classes from './passkeys.module.css';
import { addPasskey, passkeyProblem } from './passkeys.queries.ts';

/** Names a new passkey, asks for the password, and lets the browser make it. */
export function AddPasskeyDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [recoveryCode, setRecoveryCode] = useState<string | null>(null);

  const { isWorking, failure, handleSubmit } = useSubmit(
    async () => {
      const code = await addPasskey(name.trim(), password);
      notifyDone(t('passkeys.added', { name: name.trim() }));
      if (code === null) onClose();
      else setRecoveryCode(code);
    },
    (error) => passkeyProblem(t, error),
  );

  return (
    <Modal
      opened
      onClose={onClose}
      title={t('passkeys.add')}
      // The recovery code is shown once: it must not go with a slip of the pointer.
      closeOnClickOutside={recoveryCode === null}
      closeOnEscape={recoveryCode === null}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      {recoveryCode === null ? (
        <form className={classes.form} onSubmit={handleSubmit}>
          <p>{t('passkeys.addText')}</p>
          <TextInput
            data-autofocus
            label={t('passkeys.name')}
            placeholder={t('passkeys.namePlaceholder')}
            maxLength={80}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <PasswordInput
            label={t('login.password')}
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            visibilityToggleButtonProps={{ 'aria-label': t('login.showPassword'), tabIndex: 0 }}
          />
          <Failure text={failure} />
          <div className={classes.end}>
            <Button variant="default" onClick={onClose}>
              {t('actions.cancel')}
            </Button>
            <Button type="submit" loading={isWorking} disabled={name.trim() === '' || password === ''}>
              {t('passkeys.create')}
            </Button>
          </div>
        </form>
      ) : (
        <NewRecoveryCode code={recoveryCode} onClose={onClose} />
      )}
    </Modal>
  );
}

/** A recovery code, once, with what it is for. */
export function NewRecoveryCode({ code, onClose }: { code: string; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <div className={classes.form}>
      <p role="status">{t('passkeys.recoveryText')}</p>
      <Secret value={code} label={t('login.recoveryCode')} />
      <div className={classes.end}>
        <Button onClick={onClose}>{t('mfa.done')}</Button>
      </div>
    </div>
  );
}
