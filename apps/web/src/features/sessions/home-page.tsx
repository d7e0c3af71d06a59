import { useNavigate } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { landing } from '../../app/base.ts';
import { LANDING } from '../../app/guard.ts';
import { useIdle } from '../../app/in-pieces.ts';
import { laterAt } from '../../app/later.ts';
import { useSession } from '../../app/session.ts';
import classes from './home-page.module.css';
import { LoginCard } from './login-card.tsx';

const MfaWizard = laterAt('mfaWizard');
const Frame = laterAt('frame');
const Content = laterAt('home');
const Invitation = laterAt('welcome');

/** The start: for members what the provider announces, for all others the login and how to get a workgroup. */
export function HomePage() {
  const session = useSession();
  // The card stays until it has led on, although there is a session some time before.
  const [isWelcome, setWelcome] = useState(session === null);
  if (session === null && !isWelcome) setWelcome(true);
  if (isWelcome) return <Welcome onEntered={() => setWelcome(false)} />;
  return (
    <Suspense>
      <Frame>
        <Content />
      </Frame>
    </Suspense>
  );
}

function Welcome({ onEntered }: { onEntered: () => void }) {
  const navigate = useNavigate();
  const isIdle = useIdle();
  async function handleSignedIn() {
    // What failed to load now is asked for again on the way, and a failure shows there.
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
            <Invitation />
          </Suspense>
        ) : (
          <div className={classes.waiting} />
        )}
      </div>
    </main>
  );
}
