import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSubmit } from '../../app/use-submit.ts';
import classes from './login-card.module.css';
import { FAILURES } from './login-machine.ts';
import { requestReset } from './login-steps.queries.ts';

interface ForgotStepProps {
  email: string;
  onEmail: (email: string) => void;
  onBack: () => void;
}

/** Asks for an e-mail with a link to a new password. The answer is the same whether the address has an account. */
export function ForgotStep({ email, onEmail, onBack }: ForgotStepProps) {
  const { t } = useTranslation();
  const [sentTo, setSentTo] = useState<string | null>(null);
  const { isWorking, failure, handleSubmit } = useSubmit(async () => {
    setSentTo(null);
    await requestReset(email.trim());
    setSentTo(email.trim());
  }, FAILURES.forgot);
  return (
    <form className={classes.form} onSubmit={handleSubmit}>
      <div>
        <h2 className={classes.stepTitle}>{t('login.forgotTitle')}</h2>
        <p className={classes.stepText}>{t('login.forgotText')}</p>
      </div>
      <TextInput
        name="email"
        type="email"
        label={t('login.email')}
        autoComplete="username"
        autoFocus
        required
        size="md"
        value={email}
        onChange={(event) => onEmail(event.currentTarget.value)}
      />
      <p role="alert" className={classes.failure} hidden={sentTo !== null}>
        {failure}
      </p>
      {sentTo === null ? null : (
        <p role="status" className={classes.done}>
          {t('login.forgotDone', { email: sentTo })}
        </p>
      )}
      <Button type="submit" size="md" fullWidth loading={isWorking}>
        {t('login.continue')}
      </Button>
      <button type="button" className={classes.other} onClick={onBack}>
        {t('login.backToLogin')}
      </button>
    </form>
  );
}
