import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { LANDING } from '../app/guard.ts';
import { later } from '../app/later.ts';
import { landing } from '../app/routes/base.ts';
import { useSession } from '../app/session.ts';
import { LoginCard } from '../features/sessions/login-card.tsx';
import classes from './home.module.css';

const MfaWizard = later(async () => (await import('../features/mfa/mfa-wizard.tsx')).MfaWizard);
const RequestForm = later(
  async () => (await import('../features/workgroup-requests/request-form.tsx')).RequestForm,
);
const ShellLayout = lazy(async () => ({ default: (await import('./shell.tsx')).ShellLayout }));
const AnnouncementsPage = lazy(async () => ({
  default: (await import('./announcements.tsx')).AnnouncementsPage,
}));

/** The start: for members what the provider announces, for all others the login and how to get a workgroup. */
export function HomePage() {
  const session = useSession();
  // The card stays until it has led on, although there is a session some time before.
  const [isWelcome, setWelcome] = useState(session === null);
  if (session === null && !isWelcome) setWelcome(true);
  if (isWelcome) return <Welcome onEntered={() => setWelcome(false)} />;
  return (
    <Suspense>
      <ShellLayout>
        <AnnouncementsPage />
      </ShellLayout>
    </Suspense>
  );
}

function Welcome({ onEntered }: { onEntered: () => void }) {
  const navigate = useNavigate();
  const isIdle = useIdle();
  async function handleSignedIn() {
    // What cannot be known now is asked for once more on the way, and told there.
    const page = await landing().catch(() => LANDING);
    await navigate({ href: page });
    onEntered();
  }
  return (
    <main className={classes.screen}>
      <LoginCard email="" onSignedIn={handleSignedIn} wizard={MfaWizard} />
      <div className={classes.request}>
        {isIdle ? (
          <Suspense fallback={<div className={classes.waiting} />}>
            <RequestForm />
          </Suspense>
        ) : (
          <div className={classes.waiting} />
        )}
      </div>
    </main>
  );
}

/** True once the browser has nothing more urgent to do: the login comes first. */
function useIdle(): boolean {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => {
    // Safari has no idle callbacks.
    if (!window.requestIdleCallback) {
      const timer = setTimeout(() => setIdle(true), 300);
      return () => clearTimeout(timer);
    }
    const handle = window.requestIdleCallback(() => setIdle(true), { timeout: 2000 });
    return () => window.cancelIdleCallback(handle);
  }, []);
  return isIdle;
}
