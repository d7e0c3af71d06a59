import { emailChange, emailCode } from '@albedo/contract/accounts/accounts.schema';
import { Button, Modal, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notifyDone } from '../../app/notify.ts';
import { useContractForm } from '../../app/use-contract-form.ts';
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

const DIGITS = 6;

/** A new address first, then the code that was sent to it. */
export function EmailDialog({ email, onClose }: EmailDialogProps) {
  const { t } = useTranslation();
  const [wanted, setWanted] = useState('');
  const [step, setStep] = useState<'address' | 'code'>('address');
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('profile.changeEmail')}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      {step === 'address' ? (
        <AddressStep wanted={wanted} onSent={setWanted} onCode={() => setStep('code')} onClose={onClose} />
      ) : (
        <CodeStep email={email} wanted={wanted} onOther={() => setStep('address')} onClose={onClose} />
      )}
    </Modal>
  );
}

interface AddressStepProps {
  wanted: string;
  onSent: (email: string) => void;
  onCode: () => void;
  onClose: () => void;
}

function AddressStep({ wanted, onSent, onCode, onClose }: AddressStepProps) {
  const { t } = useTranslation();
  const { values, field, dialog } = useContractForm({
    schema: emailChange,
    initial: { email: wanted },
    onlyField: 'email',
    send: async ({ email }) => {
      await requestEmail(email);
      onSent(email);
      onCode();
    },
  });
  return (
    <form noValidate onSubmit={dialog.onSubmit}>
      <div className={classes.form}>
        <p>{t('profile.emailText')}</p>
        <TextInput
          {...field('email')}
          data-autofocus
          type="email"
          label={t('profile.newEmail')}
          autoComplete="email"
          maxLength={254}
        />
        <div className={classes.ways}>
          <Button variant="subtle" size="compact-sm" onClick={onCode}>
            {t('profile.haveCode')}
          </Button>
        </div>
      </div>
      <Failure text={dialog.failure} />
      <FormButtons
        submit={t('profile.sendCode')}
        isWorking={dialog.isWorking}
        isDisabled={values.email === ''}
        onCancel={onClose}
      />
    </form>
  );
}

interface CodeStepProps extends EmailDialogProps {
  /** Where the code was sent; empty for somebody who has one already. */
  wanted: string;
  onOther: () => void;
}

function CodeStep({ email, wanted, onOther, onClose }: CodeStepProps) {
  const { t } = useTranslation();
  const { values, set, field, dialog } = useContractForm({
    schema: emailCode,
    initial: { code: '' },
    onlyField: 'code',
    send: async ({ code }) => {
      await confirmEmail(code);
      notifyDone(t('profile.emailChanged'));
      onClose();
    },
  });
  const again = useAttempt();
  const resend = () =>
    again.attempt(async () => {
      await requestEmail(wanted);
      set({ code: '' });
    });
  return (
    <form noValidate onSubmit={dialog.onSubmit}>
      <div className={classes.form}>
        <p>
          {wanted ? t('profile.codeText', { email: wanted }) : t('profile.codeKnown')}{' '}
          {t('profile.codeTold', { email })}
        </p>
        <TextInput
          {...field('code')}
          autoFocus
          label={t('profile.code')}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={DIGITS}
          onChange={(event) => set({ code: event.currentTarget.value.replace(/\D/g, '') })}
        />
        <div className={classes.ways}>
          <Button variant="subtle" size="compact-sm" onClick={onOther}>
            {t('profile.otherEmail')}
          </Button>
          {wanted ? (
            <Button variant="subtle" size="compact-sm" disabled={again.isWorking} onClick={resend}>
              {t('profile.resend')}
            </Button>
          ) : null}
        </div>
      </div>
      <Failure text={dialog.failure ?? again.failure} />
      <FormButtons
        submit={t('profile.confirmEmail')}
        isWorking={dialog.isWorking}
        isDisabled={values.code.length !== DIGITS}
        onCancel={onClose}
      />
    </form>
  );
}
