import { useNavigate, useSearch } from '@tanstack/react-router';
import { insidePath, LANDING } from '../app/guard.ts';
import { later } from '../app/later.ts';
import { landing } from '../app/routes/base.ts';
import { getPending } from '../app/session.ts';
import { LoginCard } from '../features/sessions/login-card.tsx';
import { type LoginStep, stepAfter } from '../features/sessions/login-machine.ts';
import card from '../ui/public-card.module.css';

const MfaWizard = later(async () => (await import('../features/mfa/mfa-wizard.tsx')).MfaWizard);

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
    // What cannot be known now is asked for once more on the way, and told there.
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
