import { Button, Group, Modal, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { messageOf, notifyDone } from '../../app/notify.ts';
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
  const [isWorking, setWorking] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  async function attempt(task: () => Promise<void>) {
    setWorking(true);
    setFailure(null);
    try {
      await task();
    } catch (error) {
      setFailure(messageOf(error));
    } finally {
      setWorking(false);
    }
  }

  const sendCode = () =>
    attempt(async () => {
      await requestEmail(wanted.trim());
      setCode('');
      setStep('code');
    });

  function handleSubmit(event: FormEvent) {
    event.preventDefault();
    if (step === 'code') {
      void attempt(async () => {
        await confirmEmail(code);
        notifyDone(t('profile.emailChanged'));
        onClose();
      });
    } else if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(wanted.trim())) setFailure(t('profile.emailInvalid'));
    else void sendCode();
  }

  return (
    <Modal
      opened
      onClose={onClose}
      title={t('profile.changeEmail')}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <form className={classes.form} noValidate onSubmit={handleSubmit}>
        {step === 'address' ? (
          <>
            <p>{t('profile.emailText')}</p>
            <TextInput
              data-autofocus
              type="email"
              label={t('profile.newEmail')}
              autoComplete="email"
              maxLength={254}
              value={wanted}
              error={failure}
              onChange={(event) => setWanted(event.currentTarget.value)}
            />
          </>
        ) : (
          <>
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
              error={failure}
              onChange={(event) => setCode(event.currentTarget.value.replace(/\D/g, ''))}
            />
          </>
        )}
        <Group justify="space-between" gap="xs">
          {step === 'address' ? (
            <Button variant="subtle" size="compact-sm" onClick={() => setStep('code')}>
              {t('profile.haveCode')}
            </Button>
          ) : (
            <Group gap={4}>
              <Button
                variant="subtle"
                size="compact-sm"
                onClick={() => {
                  setFailure(null);
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
            </Group>
          )}
          <Button
            type="submit"
            loading={isWorking}
            disabled={step === 'code' ? code.length !== DIGITS : wanted.trim() === ''}
          >
            {t(step === 'code' ? 'profile.confirmEmail' : 'profile.sendCode')}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
