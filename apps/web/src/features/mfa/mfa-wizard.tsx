import { CODE_LENGTH } from '@albedo/contract/mfa/mfa.schema';
import { Button } from '@mantine/core';
import { type FormEvent, useEffect, useReducer, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../app/call.ts';
import { getPending, getSession, NoWorkgroupError, renewSession, signIn } from '../../app/session.ts';
import { useDeadline } from '../../app/use-deadline.ts';
import { useAttempt } from '../../app/use-submit.ts';
import { CodeField } from '../../ui/code-field.tsx';
import { messageOf } from '../../ui/message-of.ts';
import { QrCode } from '../../ui/qr-code.tsx';
import { Secret } from '../../ui/secret.tsx';
import classes from './mfa.module.css';
import { beginSetup, confirmSetup } from './mfa.queries.ts';
import { canGoBack, canGoNext, WIZARD_MS, WIZARD_START, WIZARD_STEPS, wizard } from './wizard-machine.ts';

/** How long 'Secured' stands there before the app opens. Source: specification 1, section 4. */
const LEAVE_MS = 2000;

interface MfaWizardProps {
  /** There is a session with a second factor now. */
  onDone: () => void;
  /** Left at the first step. */
  onExit: () => void;
  /** It led to no session: the 20 minutes are over, or there is no workgroup; the reason is for people. */
  onExpired: (reason: string) => void;
  /** It takes a code of the old authenticator to get a new QR code. */
  needsOldCode?: boolean;
}

/** Sets up two-factor authentication in six steps. */
export function MfaWizard({ onDone, onExit, onExpired, needsOldCode = false }: MfaWizardProps) {
  const { t } = useTranslation();
  const [state, send] = useReducer(wizard, WIZARD_START);
  const [code, setCode] = useState('');
  const [oldCode, setOldCode] = useState('');
  const [leavesAt, setLeavesAt] = useState<number | null>(null);
  const titleRef = useRef<HTMLHeadingElement>(null);
  const isConfirmed = state.done !== null;
  // With the token of the enrolment, or after the time that one would have had.
  const [deadline] = useState(() => getPending()?.expiresAt ?? Date.now() + WIZARD_MS);
  useDeadline(isConfirmed ? null : deadline, () => onExpired(t('mfa.expired')));
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new step is read from its title on.
  useEffect(() => titleRef.current?.focus(), [state.step]);
  useDeadline(leavesAt, onDone);

  const { isWorking, failure, attempt, forget } = useAttempt((error) => {
    if (!(error instanceof ApiError && error.code === 401)) return messageOf(error);
    onExpired(t('mfa.expired'));
    return null;
  });
  const create = () =>
    attempt(async () => send({ type: 'created', uri: await beginSetup(needsOldCode ? oldCode : null) }));
  const confirm = (event: FormEvent) => {
    event.preventDefault();
    void attempt(async () => send({ type: 'confirmed', ...(await confirmSetup(code)) }));
  };
  function finish() {
    try {
      // Setting it up in the profile does not lead away from it.
      if (state.done) (getSession() ? renewSession : signIn)(state.done.token);
    } catch (error) {
      onExpired(error instanceof NoWorkgroupError ? t('login.noWorkgroup') : messageOf(error));
      return;
    }
    setLeavesAt(Date.now() + LEAVE_MS);
  }
  function move(type: 'next' | 'back') {
    forget();
    send({ type });
  }

  const number = WIZARD_STEPS.indexOf(state.step) + 1;
  return (
    <div className={classes.wizard}>
      <ol className={classes.progress} aria-label={t('mfa.progress', { number, count: WIZARD_STEPS.length })}>
        {WIZARD_STEPS.map((step, at) => (
          <li
            key={step}
            data-done={at < number}
            aria-current={step === state.step ? 'step' : undefined}
            title={t(`mfa.steps.${step}`)}
          />
        ))}
      </ol>
      <h2 ref={titleRef} tabIndex={-1} className={classes.title}>
        {number}. {t(`mfa.steps.${state.step}`)}
      </h2>
      <p className={classes.text}>{t(`mfa.texts.${state.step}`)}</p>
      {state.step === 'create' ? (
        <>
          {needsOldCode && state.uri === null ? (
            <CodeField label={t('mfa.oldCode')} value={oldCode} onChange={setOldCode} />
          ) : null}
          {state.uri === null ? (
            <Button
              loading={isWorking}
              disabled={needsOldCode && oldCode.length !== CODE_LENGTH}
              onClick={() => void create()}
            >
              {t('mfa.create')}
            </Button>
          ) : (
            <p role="status" className={classes.done}>
              {t('mfa.created')}
            </p>
          )}
        </>
      ) : null}
      {state.step === 'scan' && state.uri ? <Scan uri={state.uri} /> : null}
      {state.step === 'enter' ? (
        <form className={classes.line} onSubmit={confirm}>
          <CodeField label={t('login.code')} value={code} onChange={setCode} isDisabled={isConfirmed} />
          <Button type="submit" loading={isWorking} disabled={isConfirmed || code.length !== CODE_LENGTH}>
            {t('mfa.confirm')}
          </Button>
        </form>
      ) : null}
      {state.step === 'enter' && isConfirmed ? (
        <p role="status" className={classes.done}>
          {t('mfa.confirmed')}
        </p>
      ) : null}
      {state.step === 'recovery' && state.done ? (
        <Secret value={state.done.recoveryCode} label={t('login.recoveryCode')} />
      ) : null}
      <p role="alert" className={classes.failure}>
        {failure}
      </p>
      <div className={classes.buttons}>
        {state.step === 'information' ? (
          <Button variant="default" onClick={onExit}>
            {t('mfa.exit')}
          </Button>
        ) : (
          <Button variant="default" disabled={!canGoBack(state)} onClick={() => move('back')}>
            {t('actions.back')}
          </Button>
        )}
        {state.step === 'secured' ? (
          <Button loading={leavesAt !== null} onClick={finish}>
            {t('mfa.done')}
          </Button>
        ) : (
          <Button disabled={!canGoNext(state)} onClick={() => move('next')}>
            {t('mfa.next')}
          </Button>
        )}
      </div>
    </div>
  );
}

function Scan({ uri }: { uri: string }) {
  const { t } = useTranslation();
  const secret = new URL(uri).searchParams.get('secret') ?? '';
  return (
    <div className={classes.scan}>
      <QrCode text={uri} label={t('mfa.qr')} />
      <div className={classes.byHand}>
        {t('mfa.byHand')}
        <Secret value={secret} label={t('mfa.secret')} />
      </div>
    </div>
  );
}
