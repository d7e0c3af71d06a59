import { type ComponentType, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Handover } from '../../app/handover.ts';
import { later } from '../../app/later.ts';
import { useLooks } from '../../app/looks.ts';
import { forgetPending, type TokenKind } from '../../app/session.ts';
import { Logo } from '../../ui/logo.tsx';
import card from '../../ui/public-card.module.css';
import classes from './login-card.module.css';
import { type LoginStep, stepAfter } from './login-machine.ts';
import { PasswordStep } from './password-step.tsx';

/** The states after the first one come when they are needed. */
const CodeStep = later(async () => (await import('./code-steps.tsx')).CodeStep);
const RecoverStep = later(async () => (await import('./code-steps.tsx')).RecoverStep);
const RecoveredStep = later(async () => (await import('./code-steps.tsx')).RecoveredStep);
const SamlStep = later(async () => (await import('./saml-step.tsx')).SamlStep);
const ForgotStep = later(async () => (await import('./forgot-step.tsx')).ForgotStep);

interface LoginCardProps {
  /** Prefills the first field. */
  email: string;
  /** Leads into the app; where that takes its time it answers a promise, which the card shows itself busy for. */
  onSignedIn: () => unknown;
  /** What was typed into the first card, which stood there before the app. */
  typed?: Handover | null;
  /** The state to begin with. */
  startsWith?: LoginStep;
  /** The identity provider that another site led here for. */
  providerId?: string | undefined;
  /** Leads the browser to another site. */
  onLeave?: (address: string) => void;
  /** Sets up a second factor, where that must be done first. */
  wizard: ComponentType<{ onDone: () => void; onExit: () => void; onExpired: (reason: string) => void }>;
}

/** Signing in, with all that may stand between the password and the app. */
export function LoginCard({
  email: given,
  typed = null,
  onSignedIn,
  startsWith = 'login',
  providerId,
  onLeave = (address) => window.location.assign(address),
  wizard: Wizard,
}: LoginCardProps) {
  const { t } = useTranslation();
  const { serviceName } = useLooks();
  const [step, setStep] = useState<LoginStep>(startsWith);
  const [email, setEmail] = useState(given);
  // Once: whoever comes back to the first step begins anew.
  const [early, setEarly] = useState(typed);
  const [notice, setNotice] = useState<string | null>(null);

  async function handleGranted(kind: TokenKind) {
    const next = stepAfter(kind);
    if (next) setStep(next);
    else await onSignedIn();
  }
  function startAgain(reason: string | null = null) {
    forgetPending();
    setNotice(reason);
    setStep('login');
  }

  return (
    <section className={card.card} data-step={step} aria-label={t('login.title')}>
      <header className={`${card.head} ${classes.head}`}>
        <span className={card.mark}>
          <Logo size={30} />
        </span>
        <div>
          <h1 className={classes.title}>{serviceName}</h1>
          <p className={classes.claim}>{t('login.claim')}</p>
        </div>
      </header>
      <Suspense fallback={<div className={classes.waiting} />}>
        {step === 'login' ? (
          <PasswordStep
            email={email}
            notice={notice}
            typed={early}
            onTaken={() => setEarly(null)}
            onEmail={setEmail}
            onGranted={handleGranted}
            onForgot={() => setStep('forgot')}
            onSso={() => setStep('saml')}
          />
        ) : null}
        {step === 'saml' ? (
          <SamlStep
            email={email}
            onEmail={setEmail}
            providerId={providerId}
            onLeave={onLeave}
            onBack={() => startAgain()}
          />
        ) : null}
        {step === 'forgot' ? (
          <ForgotStep email={email} onEmail={setEmail} onBack={() => startAgain()} />
        ) : null}
        {step === 'totp' ? (
          <CodeStep
            onGranted={handleGranted}
            onRecover={() => setStep('totp-recover')}
            onBack={() => startAgain()}
          />
        ) : null}
        {step === 'totp-recover' ? (
          <RecoverStep
            onRecovered={() => setStep('totp-recovered')}
            onBack={() => setStep('totp')}
            onExpired={() => startAgain()}
          />
        ) : null}
        {step === 'totp-recovered' ? <RecoveredStep onContinue={() => setStep('setupMfa')} /> : null}
        {step === 'setupMfa' ? (
          <Wizard onDone={onSignedIn} onExit={() => startAgain()} onExpired={startAgain} />
        ) : null}
      </Suspense>
    </section>
  );
}
