import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { landing } from '../../app/base.ts';
import { insidePath, LANDING } from '../../app/guard.ts';
import { type Handover, takeHandover } from '../../app/handover.ts';
import { laterAt } from '../../app/later.ts';
import { getPending } from '../../app/session.ts';
import card from '../../ui/public-card.module.css';
import { LoginCard } from './login-card.tsx';
import { type LoginStep, stepAfter } from './login-machine.ts';

const MfaWizard = laterAt('mfaWizard');

export function LoginPage() {
  const pending = getPending();
  const step = pending && stepAfter(pending.kind);
  const [typed] = useState(takeHandover);
  const wish = typed?.wish === 'forgot' || typed?.wish === 'saml' ? typed.wish : 'login';
  return <Login {...useSearch({ from: '/login' })} startsWith={step ?? wish} typed={typed} />;
}

/** The same card, at the step that asks for the identity provider. */
export function LoginSsoPage() {
  return <Login {...useSearch({ from: '/login/sso' })} startsWith="saml" />;
}

interface LoginProps {
  redirect?: string;
  email?: string;
  provider?: string;
  startsWith: LoginStep;
  /** What was typed before the app was there. */
  typed?: Handover | null;
}

function Login({ redirect, email, provider, startsWith, typed = null }: LoginProps) {
  const navigate = useNavigate();
  async function handleSignedIn() {
    // What failed to load now is asked for again on the way, and a failure shows there.
    const page = await landing().catch(() => LANDING);
    await navigate({ href: insidePath(redirect, page) });
  }
  return (
    <main className={card.screen}>
      <LoginCard
        email={typed?.email ?? email ?? ''}
        typed={typed}
        startsWith={startsWith}
        providerId={provider}
        onSignedIn={handleSignedIn}
        wizard={MfaWizard}
      />
    </main>
  );
}
