import '@fontsource-variable/inter/wght.css';
import './app/styles.css';
import { RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { startTranslation } from './app/i18n.ts';
import { keepFocus } from './app/keep-focus.ts';
import { Providers } from './app/providers.tsx';
import { followSignOut, isLoadingAhead, router } from './app/router.tsx';
import { followOtherTabs, restoreSession } from './app/session.ts';
import { recoverFromStaleAssets } from './app/stale-assets.ts';

recoverFromStaleAssets(isLoadingAhead);
await startTranslation();
const sessionIsGood = restoreSession();
followOtherTabs({
  onUser: () => void switching().then(({ arriveAsAnother }) => arriveAsAnother(router)),
  onWorkgroup: (name) => void switching().then(({ openWorkgroup }) => openWorkgroup(router, name)),
});
followSignOut();
keepFocus();
if (!sessionIsGood) {
  const redirect = window.location.pathname + window.location.search;
  // Nothing is drawn yet, and nobody would end a navigation: only the address changes, and is drawn first.
  router.history.replace(router.buildLocation({ to: '/session-expired', search: { redirect } }).href);
}

/** Loaded when it is needed: whoever signs in has nothing to switch yet. */
function switching() {
  return import('./features/shell/workgroup-switch.ts');
}

const stopWaiting = router.subscribe('onRendered', () => {
  stopWaiting();
  document.getElementById('waiting')?.remove();
});

const element = document.getElementById('root');
if (!element) throw new Error('index.html has no element with the id root.');
createRoot(element).render(
  <Providers>
    <RouterProvider router={router} />
  </Providers>,
);
