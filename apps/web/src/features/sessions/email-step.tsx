import { Button, TextInput } from '@mantine/core';
import type { FormEventHandler } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './login-card.module.css';

interface EmailStepProps {
  title: string;
  text: string;
  /** What the form does. */
  submit: string;
  email: string;
  onEmail: (email: string) => void;
  isWorking: boolean;
  failure: string | null;
  /** What was done; null while nothing was. */
  done?: string | null;
  onSubmit: FormEventHandler;
  onBack: () => void;
}

/** A step that asks for the e-mail address and nothing else. */
export function EmailStep({ email, onEmail, isWorking, failure, done = null, ...step }: EmailStepProps) {
  const { t } = useTranslation();
  return (
    <form className={classes.form} onSubmit={step.onSubmit}>
      <div>
        <h2 className={classes.stepTitle}>{step.title}</h2>
        <p className={classes.stepText}>{step.text}</p>
      </div>
      <TextInput
        name="email"
        type="email"
        label={t('login.email')}
        autoComplete="username"
        autoFocus
        required
        withAsterisk={false}
        size="md"
        value={email}
        onChange={(event) => onEmail(event.currentTarget.value)}
      />
      <p role="alert" className={classes.failure} hidden={done !== null}>
        {failure}
      </p>
      {done === null ? null : (
        <p role="status" className={classes.done}>
          {done}
        </p>
      )}
      <Button type="submit" size="md" fullWidth loading={isWorking}>
        {step.submit}
      </Button>
      <button type="button" className={classes.other} onClick={step.onBack}>
        {t('login.backToLogin')}
      </button>
    </form>
  );
}
