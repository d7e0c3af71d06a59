import { CODE_LENGTH, RECOVERY_CODE_LENGTH } from '@albedo/contract/mfa/mfa.schema';
import { Button, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { passkeyProblem } from '../../app/passkey-problem.ts';
import { getPending, type TokenKind } from '../../app/session.ts';
import { useDeadline } from '../../app/use-deadline.ts';
import { useSubmit } from '../../app/use-submit.ts';
import { answerWithPasskey } from '../passkeys/passkeys.queries.ts';
import classes from './login-card.module.css';
import { FAILURES, isExpired, isWithoutWorkgroup, RETURN_MS } from './login-machine.ts';
import { enterCode, recoverMfa } from './login-steps.queries.ts';
import { granted } from './sessions.queries.ts';

interface CodeStepProps {
  onGranted: (kind: TokenKind) => Promise<void>;
  onRecover: () => void;
  /** To the login, also by itself when the login token has expired. */
  onBack: () => void;
}

/** The state `totp`: the code of the authenticator app, or a passkey where the account has one. */
export function CodeStep({ onGranted, onRecover, onBack }: CodeStepProps) {
  const { t } = useTranslation();
  const [code, setCode] = useState('');
  const [leavesAt, setLeavesAt] = useState<number | null>(null);
  useDeadline(leavesAt, onBack);
  const [factors] = useState(() => getPending()?.factors ?? []);
  const hasPasskey = factors.includes('passkey');
  const hasCode = !hasPasskey || factors.includes('totp');
  const passkey = useSubmit(
    async () => {
      try {
        await onGranted(granted(await answerWithPasskey()));
      } catch (error) {
        if (isExpired(error)) setLeavesAt(Date.now() + RETURN_MS);
        throw error;
      }
    },
    (error) =>
      isExpired(error) || isWithoutWorkgroup(error) ? FAILURES.code(error) : passkeyProblem(t, error),
  );
  const { isWorking, failure, handleSubmit } = useSubmit(async () => {
    try {
      await onGranted(await enterCode(code));
    } catch (error) {
      if (isExpired(error)) setLeavesAt(Date.now() + RETURN_MS);
      setCode('');
      throw error;
    }
  }, FAILURES.code);
  const codeRef = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (failure !== null) codeRef.current?.focus();
  }, [failure]);
  return (
    <form className={classes.form} onSubmit={hasCode ? handleSubmit : passkey.handleSubmit}>
      <div>
        <h2 className={classes.stepTitle}>{t(hasCode ? 'login.codeTitle' : 'passkeys.signInTitle')}</h2>
        <p className={classes.stepText}>{t(hasCode ? 'login.codeText' : 'passkeys.signInText')}</p>
      </div>
      {hasCode ? (
        <TextInput
          ref={codeRef}
          name="code"
          label={t('login.code')}
          autoComplete="one-time-code"
          inputMode="numeric"
          autoFocus
          size="md"
          maxLength={CODE_LENGTH}
          classNames={{ input: classes.code ?? '' }}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value.trim())}
        />
      ) : null}
      <p role="alert" className={classes.failure}>
        {failure ?? passkey.failure}
      </p>
      {hasCode ? (
        <Button type="submit" size="md" fullWidth loading={isWorking} disabled={code.length !== CODE_LENGTH}>
          {t('login.continue')}
        </Button>
      ) : null}
      {hasPasskey ? (
        <Button
          type={hasCode ? 'button' : 'submit'}
          variant={hasCode ? 'default' : 'filled'}
          size="md"
          fullWidth
          loading={passkey.isWorking}
          {...(hasCode ? { onClick: passkey.handleSubmit } : { autoFocus: true })}
        >
          {t('passkeys.use')}
        </Button>
      ) : null}
      <div className={classes.others}>
        <button type="button" className={classes.other} onClick={onRecover}>
          {t('login.recover')}
        </button>
        <button type="button" className={classes.other} onClick={onBack}>
          {t('login.backToLogin')}
        </button>
      </div>
    </form>
  );
}

interface RecoverStepProps {
  onRecovered: () => void;
  onBack: () => void;
  onExpired: () => void;
}

/** The state `totp-recover`: the recovery code in place of a lost authenticator. */
export function RecoverStep({ onRecovered, onBack, onExpired }: RecoverStepProps) {
  const { t } = useTranslation();
  const [code, setCode] = useState('');
  const [leavesAt, setLeavesAt] = useState<number | null>(null);
  useDeadline(leavesAt, onExpired);
  const { isWorking, failure, handleSubmit } = useSubmit(async () => {
    try {
      await recoverMfa(code);
      onRecovered();
    } catch (error) {
      if (isExpired(error)) setLeavesAt(Date.now() + RETURN_MS);
      throw error;
    }
  }, FAILURES.recover);
  return (
    <form className={classes.form} onSubmit={handleSubmit}>
      <div>
        <h2 className={classes.stepTitle}>{t('login.recoverTitle')}</h2>
        <p className={classes.stepText}>{t('login.recoverText')}</p>
      </div>
      <TextInput
        name="recoveryCode"
        label={t('login.recoveryCode')}
        autoComplete="off"
        autoFocus
        size="md"
        classNames={{ input: classes.recoveryCode ?? '' }}
        value={code}
        onChange={(event) => setCode(event.currentTarget.value.trim())}
      />
      <p role="alert" className={classes.failure}>
        {failure}
      </p>
      <Button
        type="submit"
        size="md"
        fullWidth
        loading={isWorking}
        disabled={code.length !== RECOVERY_CODE_LENGTH}
      >
        {t('login.continue')}
      </Button>
      <button type="button" className={classes.other} onClick={onBack}>
        {t('login.backToCode')}
      </button>
    </form>
  );
}

/** The state `totp-recovered`: what the used recovery code means. */
export function RecoveredStep({ onContinue }: { onContinue: () => void }) {
  const { t } = useTranslation();
  return (
    <div className={classes.form}>
      <div role="status">
        <h2 className={classes.stepTitle}>{t('login.recoveredTitle')}</h2>
        <p className={classes.stepText}>{t('login.recoveredText')}</p>
      </div>
      <Button size="md" fullWidth data-autofocus onClick={onContinue}>
        {t('login.continue')}
      </Button>
    </div>
  );
}
