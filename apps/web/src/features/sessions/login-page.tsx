import { useNavigate, useSearch } from '@tanstack/react-router';
import { landing } from '../../app/base.ts';
import { insidePath, LANDING } from '../../app/guard.ts';
import { laterAt } from '../../app/later.ts';
import { getPending } from '../../app/session.ts';
import card from '../../ui/public-card.module.css';
import { LoginCard } from './login-card.tsx';
import { type LoginStep, stepAfter } from './login-machine.ts';

const MfaWizard = laterAt('mfaWizard');

export function LoginPage() {
  const pending = getPending();
  const step = pending && stepAfter(pending.kind);
  return <Login {...useSearch({ from: '/login' })} startsWith={step ?? 'login'} />;
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
}

function Login({ redirect, email, provider, startsWith }: LoginProps) {
  const navigate = useNavigate();
  async function handleSignedIn() {
    // What failed to load now is asked for again on the way, and a failure shows there.
    const page = await landing().catch(() => LANDING);
    await navigate({ href: insidePath(redirect, page) });
  }
  return (
    <main className={card.screen}>
      <LoginCard
        email={email ?? ''}
        startsWith={startsWith}
        providerId={provider}
        onSignedIn={handleSignedIn}
        wizard={MfaWizard}
      />
    </main>
  );
}
