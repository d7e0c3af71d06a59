import { CODE_LENGTH } from '@albedo/contract/mfa/mfa.schema';
import type { ConfirmFactor } from '@albedo/contract/sessions/sessions.schema';
import { Button, PasswordInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { onNotFresh } from '../../app/call.ts';
import { passkeyProblem } from '../../app/passkey-problem.ts';
import { useAttempt, useSubmit } from '../../app/use-submit.ts';
import { CodeField } from '../../ui/code-field.tsx';
import { Failure } from '../../ui/failure.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import {
  confirmByCode,
  confirmByPasskey,
  confirmByPassword,
  confirmFactors,
  signInAgain,
} from './step-up.queries.ts';

interface Question {
  factors: ConfirmFactor[];
  /** True when it was confirmed, false when the person gave up. */
  answer: (isConfirmed: boolean) => void;
}

/**
 * Asks people to confirm that it is them before they do what a stolen session must not do. Every call that the server
 * refuses for it waits here, and is made again afterwards.
 */
export function StepUpDialog() {
  const [question, setQuestion] = useState<Question | null>(null);
  useEffect(
    () =>
      onNotFresh(async (only) => {
        const factors = (await confirmFactors()).filter((one) => !only || only.includes(one));
        // Then the refusal says what is missing.
        if (factors.length === 0) return false;
        return new Promise<boolean>((resolve) => {
          setQuestion({
            factors,
            answer: (isConfirmed) => {
              setQuestion(null);
              resolve(isConfirmed);
            },
          });
        });
      }),
    [],
  );
  return question ? <ConfirmForm {...question} /> : null;
}

function ConfirmForm({ factors, answer }: Question) {
  const { t } = useTranslation();
  const [entered, setEntered] = useState('');
  const isSso = factors.includes('sso');
  const hasCode = factors.includes('totp');
  const hasPassword = factors.includes('password');
  const byPasskey = useAttempt((error) => passkeyProblem(t, error));
  const handlePasskey = () =>
    byPasskey.attempt(async () => {
      await confirmByPasskey();
      answer(true);
    });
  const { isWorking, failure, fault, handleSubmit } = useSubmit(async () => {
    if (isSso) await signInAgain();
    else if (hasCode || hasPassword) {
      await (hasCode ? confirmByCode(entered) : confirmByPassword(entered));
      answer(true);
    } else await handlePasskey();
  });
  const isComplete = hasCode ? entered.length === CODE_LENGTH : !hasPassword || entered !== '';
  return (
    <FormDialog
      title={t('stepUp.title')}
      submit={t(isSso ? 'stepUp.signIn' : hasCode || hasPassword ? 'stepUp.confirm' : 'passkeys.use')}
      isWorking={isWorking}
      isDisabled={!isComplete}
      failure={hasPassword ? null : failure}
      onSubmit={handleSubmit}
      onClose={() => answer(false)}
    >
      <p>{t(isSso ? 'stepUp.sso' : 'stepUp.text')}</p>
      {hasCode ? <CodeField isFirst label={t('login.code')} value={entered} onChange={setEntered} /> : null}
      {hasPassword ? (
        <PasswordInput
          data-autofocus
          label={t('login.password')}
          autoComplete="current-password"
          value={entered}
          error={fault ?? failure}
          onChange={(event) => setEntered(event.currentTarget.value)}
        />
      ) : null}
      <Failure text={byPasskey.failure} />
      {hasCode && factors.includes('passkey') ? (
        <Button variant="default" loading={byPasskey.isWorking} onClick={() => void handlePasskey()}>
          {t('passkeys.use')}
        </Button>
      ) : null}
    </FormDialog>
  );
}
