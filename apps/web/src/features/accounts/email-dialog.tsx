import { Button, Modal, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notifyDone } from '../../app/notify.ts';
import { useAttempt } from '../../app/use-submit.ts';
import { Failure } from '../../ui/failure.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import classes from './accounts.module.css';
import { confirmEmail, requestEmail } from './accounts.queries.ts';

interface EmailDialogProps {
  /** The present address. */
  email: string;
  onClose: () => void;
}

const DIGITS = 4;

/** A new address first, then the code that was sent to it. */
export function EmailDialog({ email, onClose }: EmailDialogProps) {
  const { t } = useTranslation();
  const [wanted, setWanted] = useState('');
  const [code, setCode] = useState('');
  const [step, setStep] = useState<'address' | 'code'>('address');
  const { isWorking, fault, trouble, attempt, forget } = useAttempt();

  const sendCode = () =>
    attempt(async () => {
      if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(wanted.trim())) throw new Error(t('profile.emailInvalid'));
      await requestEmail(wanted.trim());
      setCode('');
      setStep('code');
    });
  const confirm = () =>
    attempt(async () => {
      await confirmEmail(code);
      notifyDone(t('profile.emailChanged'));
      onClose();
    });

  function handleSubmit(event: FormEvent) {
    event.preventDefault();
    void (step === 'code' ? confirm() : sendCode());
  }

  return (
    <Modal
      opened
      onClose={onClose}
      title={t('profile.changeEmail')}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <form noValidate onSubmit={handleSubmit}>
        {step === 'address' ? (
          <div className={classes.form}>
            <p>{t('profile.emailText')}</p>
            <TextInput
              data-autofocus
              type="email"
              label={t('profile.newEmail')}
              autoComplete="email"
              maxLength={254}
              value={wanted}
              error={fault}
              onChange={(event) => setWanted(event.currentTarget.value)}
            />
            <div className={classes.ways}>
              <Button
                variant="subtle"
                size="compact-sm"
                onClick={() => {
                  forget();
                  setStep('code');
                }}
              >
                {t('profile.haveCode')}
              </Button>
            </div>
          </div>
        ) : (
          <div className={classes.form}>
            <p>
              {wanted ? t('profile.codeText', { email: wanted.trim() }) : t('profile.codeKnown')}{' '}
              {t('profile.codeTold', { email })}
            </p>
            <TextInput
              key="code"
              autoFocus
              label={t('profile.code')}
              inputMode="numeric"
              autoComplete="one-time-code"
              maxLength={DIGITS}
              value={code}
              error={fault}
              onChange={(event) => setCode(event.currentTarget.value.replace(/\D/g, ''))}
            />
            <div className={classes.ways}>
              <Button
                variant="subtle"
                size="compact-sm"
                onClick={() => {
                  forget();
                  setStep('address');
                }}
              >
                {t('profile.otherEmail')}
              </Button>
              {wanted ? (
                <Button
                  variant="subtle"
                  size="compact-sm"
                  disabled={isWorking}
                  onClick={() => void sendCode()}
                >
                  {t('profile.resend')}
                </Button>
              ) : null}
            </div>
          </div>
        )}
        <Failure text={trouble} />
        <FormButtons
          submit={t(step === 'code' ? 'profile.confirmEmail' : 'profile.sendCode')}
          isWorking={isWorking}
          isDisabled={step === 'code' ? code.length !== DIGITS : wanted.trim() === ''}
          onCancel={onClose}
        />
      </form>
    </Modal>
  );
}
