import { Button, TextInput } from '@mantine/core';
import type { FormEventHandler } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './login-card.module.css';
import type { Hint } from './login-machine.ts';
import { SignInHint } from './sign-in-hint.tsx';

interface EmailStepProps {
  title: string;
  text: string;
  /** What the form does. */
  submit: string;
  email: string;
  onEmail: (email: string) => void;
  isWorking: boolean;
  failure: string | null;
  /** Advice on the failure. */
  hint?: Hint | null;
  /** What was done, in place of the form; null while nothing was. */
  done?: string | null;
  onSubmit: FormEventHandler;
  onBack: () => void;
}

/** A step that asks for the e-mail address and nothing else. */
export function EmailStep({
  email,
  onEmail,
  isWorking,
  failure,
  hint = null,
  done = null,
  ...step
}: EmailStepProps) {
  const { t } = useTranslation();
  const back = (
    <button type="button" className={classes.other} onClick={step.onBack}>
      {t('login.backToLogin')}
    </button>
  );
  if (done !== null)
    return (
      <div className={classes.form}>
        <h2 className={classes.stepTitle}>{step.title}</h2>
        {/* The field that had the focus is gone. */}
        <p role="status" className={classes.done} tabIndex={-1} ref={(line) => line?.focus()}>
          {done}
        </p>
        {back}
      </div>
    );
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
      <p role="alert" className={classes.failure}>
        {failure}
      </p>
      {hint === null ? null : <SignInHint hint={hint} />}
      <Button type="submit" size="md" fullWidth loading={isWorking}>
        {step.submit}
      </Button>
      {back}
    </form>
  );
}
