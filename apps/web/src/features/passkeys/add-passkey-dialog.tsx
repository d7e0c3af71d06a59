import { passkeyBegin, passkeyName } from '@albedo/contract/passkeys/passkeys.schema';
import { Button, Modal, PasswordInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notifyDone } from '../../app/notify.ts';
import { passkeyProblem } from '../../app/passkey-problem.ts';
import { useContractForm } from '../../app/use-contract-form.ts';
import { Failure } from '../../ui/failure.tsx';
import { Secret } from '../../ui/secret.tsx';
import classes from './passkeys.module.css';
import { addPasskey } from './passkeys.queries.ts';

const typedPasskey = passkeyBegin.extend({ name: passkeyName });

/** Names a new passkey, asks for the password, and lets the browser make it. */
export function AddPasskeyDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const [recoveryCode, setRecoveryCode] = useState<string | null>(null);

  const { values, field, dialog } = useContractForm({
    schema: typedPasskey,
    initial: { name: '', password: '' },
    refusals: { 'account.password_wrong': 'password' },
    send: async ({ name, password }) => {
      const code = await addPasskey(name, password);
      notifyDone(t('passkeys.added', { name }));
      if (code === null) onClose();
      else setRecoveryCode(code);
    },
    wordsFor: (error) => passkeyProblem(t, error),
  });

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
        <form noValidate className={classes.form} onSubmit={dialog.onSubmit}>
          <p>{t('passkeys.addText')}</p>
          <TextInput
            {...field('name')}
            data-autofocus
            label={t('passkeys.name')}
            placeholder={t('passkeys.namePlaceholder')}
            maxLength={80}
          />
          <PasswordInput
            {...field('password')}
            label={t('login.password')}
            autoComplete="current-password"
            visibilityToggleButtonProps={{ 'aria-label': t('login.showPassword'), tabIndex: 0 }}
          />
          <Failure text={dialog.failure} />
          <div className={classes.end}>
            <Button variant="default" onClick={onClose}>
              {t('actions.cancel')}
            </Button>
            <Button
              type="submit"
              loading={dialog.isWorking}
              disabled={values.name.trim() === '' || values.password === ''}
            >
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
