import { Button, PasswordInput, TextInput } from '@mantine/core';
import { Suspense, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Handover } from '../../app/handover.ts';
import { later } from '../../app/later.ts';
import type { TokenKind } from '../../app/session.ts';
import { useSubmit } from '../../app/use-submit.ts';
import classes from './login-card.module.css';
import { FAILURES, type Hint, hintOf } from './login-machine.ts';
import { beginSession } from './sessions.queries.ts';

const SignInHint = later(async () => (await import('./sign-in-hint.tsx')).SignInHint);

interface PasswordStepProps {
  email: string;
  /** Why the card is back here. */
  notice: string | null;
  /** What was typed before the app was there; it is sent at once where that was asked for. */
  typed?: Handover | null;
  /** It was taken over, and is not to be taken again. */
  onTaken: () => void;
  onEmail: (email: string) => void;
  onGranted: (kind: TokenKind) => Promise<void>;
  onForgot: () => void;
  onSso: () => void;
}

/** The first state of the login card: e-mail and password. */
export function PasswordStep({
  email,
  notice,
  typed = null,
  onTaken,
  onEmail,
  onGranted,
  onForgot,
  onSso,
}: PasswordStepProps) {
  const { t } = useTranslation();
  const [password, setPassword] = useState(typed?.password ?? '');
  const [hint, setHint] = useState<Hint | null>(null);
  const formRef = useRef<HTMLFormElement>(null);
  const passwordRef = useRef<HTMLInputElement>(null);
  const [startsWithEmail] = useState(typed?.field ? typed.field === 'email' : email === '');
  const { isWorking, failure, handleSubmit } = useSubmit(
    async () => onGranted(await beginSession(email.trim(), password)),
    (error) => {
      setHint(hintOf(error));
      return FAILURES.login(error);
    },
  );
  const [isToSend] = useState(typed?.wish === 'send');
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it begins.
  useEffect(() => {
    onTaken();
    if (isToSend) formRef.current?.requestSubmit();
  }, []);
  useEffect(() => {
    if (failure !== null) passwordRef.current?.select();
  }, [failure]);
  return (
    <form ref={formRef} className={classes.form} onSubmit={handleSubmit}>
      <TextInput
        name="email"
        type="email"
        label={t('login.email')}
        autoComplete="username"
        autoFocus={startsWithEmail}
        required
        size="md"
        value={email}
        onChange={(event) => onEmail(event.currentTarget.value)}
      />
      <PasswordInput
        ref={passwordRef}
        name="password"
        label={t('login.password')}
        autoComplete="current-password"
        autoFocus={!startsWithEmail}
        required
        size="md"
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        visibilityToggleButtonProps={{ 'aria-label': t('login.showPassword'), tabIndex: 0 }}
      />
      <p role="alert" className={classes.failure}>
        {failure ?? notice}
      </p>
      {failure !== null && hint !== null ? (
        <Suspense fallback={null}>
          <SignInHint hint={hint} />
        </Suspense>
      ) : null}
      <Button type="submit" size="md" fullWidth loading={isWorking}>
        {t('login.continue')}
      </Button>
      <div className={classes.others}>
        <button type="button" className={classes.other} onClick={onForgot}>
          {t('login.forgot')}
        </button>
        <button type="button" className={classes.other} onClick={onSso}>
          {t('login.sso')}
        </button>
      </div>
    </form>
  );
}
