import type { UserProfile } from '@albedo/contract/accounts/accounts.schema';
import { CODE_LENGTH, codeKey } from '@albedo/contract/mfa/mfa.schema';
import { Button, Modal } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { queryClient } from '../../app/query-client.ts';
import { useContractForm } from '../../app/use-contract-form.ts';
import { CodeField } from '../../ui/code-field.tsx';
import { Failure } from '../../ui/failure.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { Secret } from '../../ui/secret.tsx';
import { Section } from '../../ui/section.tsx';
import { profileQuery } from '../accounts/accounts.queries.ts';
import { renewRecoveryCode } from './mfa.queries.ts';
import classes from './mfa-panel.module.css';

const MfaWizard = lazy(async () => ({ default: (await import('./mfa-wizard.tsx')).MfaWizard }));

/** Two-factor authentication of the account: setting it up, moving to another phone, a new recovery code. */
export function MfaPanel({ profile }: { profile: UserProfile }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState<'wizard' | 'recovery' | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const isOn = profile.totp.isConfirmed;
  function handleDone() {
    setOpen(null);
    void queryClient.invalidateQueries({ queryKey: profileQuery.queryKey });
  }
  return (
    <Section title={t('profile.mfa')}>
      <div className={classes.form}>
        <p>
          {isOn ? t('profile.mfaOn') : t('profile.mfaOff')}
          {profile.mfaRequired ? ` ${t('profile.mfaRequired')}` : null}
        </p>
        <Failure text={failure} />
        <div className={classes.buttons}>
          <Button variant={isOn ? 'default' : 'filled'} onClick={() => setOpen('wizard')}>
            {isOn ? t('profile.mfaAgain') : t('profile.mfaSetUp')}
          </Button>
          {isOn ? (
            <Button variant="default" onClick={() => setOpen('recovery')}>
              {t('profile.newRecoveryCode')}
            </Button>
          ) : null}
        </div>
      </div>
      {open === 'wizard' ? (
        <Modal
          opened
          onClose={() => setOpen(null)}
          title={t('profile.mfa')}
          closeOnClickOutside={false}
          closeOnEscape={false}
          withCloseButton={false}
        >
          <Suspense fallback={<div className={classes.waiting} />}>
            <MfaWizard
              needsOldCode={isOn}
              onDone={handleDone}
              onExit={() => setOpen(null)}
              onExpired={(reason) => {
                setOpen(null);
                setFailure(reason);
              }}
            />
          </Suspense>
        </Modal>
      ) : null}
      {open === 'recovery' ? <RecoveryDialog onClose={() => setOpen(null)} /> : null}
    </Section>
  );
}

function RecoveryDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const [recoveryCode, setRecoveryCode] = useState<string | null>(null);

  const { values, field, dialog } = useContractForm({
    schema: codeKey,
    initial: { key: '' },
    onlyField: 'key',
    send: async ({ key }) => setRecoveryCode(await renewRecoveryCode(key)),
  });

  return (
    <Modal
      opened
      onClose={onClose}
      title={t('profile.newRecoveryCode')}
      // It is shown once: it must not go with a slip of the pointer.
      closeOnClickOutside={recoveryCode === null}
      closeOnEscape={recoveryCode === null}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      {recoveryCode === null ? (
        <form noValidate onSubmit={dialog.onSubmit}>
          <div className={classes.form}>
            <p>{t('profile.recoveryText')}</p>
            <CodeField {...field('key')} isFirst label={t('login.code')} />
            <Failure text={dialog.failure} />
          </div>
          <FormButtons
            submit={t('profile.generate')}
            isWorking={dialog.isWorking}
            isDisabled={values.key.length !== CODE_LENGTH}
            onCancel={onClose}
          />
        </form>
      ) : (
        <div className={classes.form}>
          <p>{t('mfa.texts.recovery')}</p>
          <Secret value={recoveryCode} label={t('login.recoveryCode')} />
          <div className={classes.end}>
            <Button onClick={onClose}>{t('mfa.done')}</Button>
          </div>
        </div>
      )}
    </Modal>
  );
}
