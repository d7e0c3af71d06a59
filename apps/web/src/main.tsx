import './app/mantine.css';
import './app/styles.css';
import { RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { keepEarlyKeys } from './app/early-keys.ts';
import { loadMoreTexts, startTranslation } from './app/i18n.ts';
import { whenIdle, whenShown } from './app/in-pieces.ts';
import { openInside } from './app/inside.ts';
import { rememberInstallOffer } from './app/install-offer.ts';
import { keepFocus } from './app/keep-focus.ts';
import { keepInPocket } from './app/pocket.ts';
import { Providers } from './app/providers.tsx';
import { getSession, restoreSession } from './app/session.ts';
import { recoverFromStaleAssets } from './app/stale-assets.ts';
import { requireUpdate } from './app/update.ts';
import { followVersion } from './app/version-check.ts';
import { followSignOut, followTabs, router } from './router.tsx';

/** Draws the app in place of what index.html shows until then, which may have heard already that it `isOutdated`. */
export async function startApp(isOutdated = false): Promise<void> {
  recoverFromStaleAssets();
  rememberInstallOffer();
  if (isOutdated) requireUpdate();
  const sessionIsGood = restoreSession();
  // The screens are loaded while the texts come; where that fails, opening one says so.
  if (getSession()) openInside().catch(() => {});
  await startTranslation();
  followTabs();
  followSignOut();
  keepFocus();
  keepEarlyKeys();
  followVersion();
  keepInPocket();
  if (!sessionIsGood) {
    const redirect = window.location.pathname + window.location.search;
    // Nothing is drawn yet, and nothing would finish a navigation: only the address changes, and is drawn first.
    router.history.replace(router.buildLocation({ to: '/session-expired', search: { redirect } }).href);
  }

  const stopWaiting = router.subscribe('onRendered', () => {
    stopWaiting();
    document.getElementById('first')?.remove();
    // It lies behind the app, whose shell may still be drawn.
    whenIdle(() => document.getElementById('waiting')?.remove());
  });

  router.subscribe('onRendered', () => whenShown(() => void loadMoreTexts()));

  const element = document.getElementById('root');
  if (!element) throw new Error('index.html has no element with the id root.');
  createRoot(element).render(
    <Providers>
      <RouterProvider router={router} />
    </Providers>,
  );
}
