import { useNavigate, useSearch } from '@tanstack/react-router';
import { insidePath } from '../app/guard.ts';
import { later } from '../app/later.ts';
import { landing } from '../app/routes/base.ts';
import classes from '../features/sessions/login-card.module.css';
import { LoginCard } from '../features/sessions/login-card.tsx';

const MfaWizard = later(async () => (await import('../features/mfa/mfa-wizard.tsx')).MfaWizard);

export function LoginPage() {
  const navigate = useNavigate();
  const { redirect, email } = useSearch({ from: '/login' });
  function handleSignedIn() {
    void landing().then((page) => navigate({ href: insidePath(redirect, page) }));
  }
  return (
    <main className={classes.screen}>
      <LoginCard email={email ?? ''} onSignedIn={handleSignedIn} wizard={MfaWizard} />
    </main>
  );
}
