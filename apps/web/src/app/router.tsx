import { createRouter } from '@tanstack/react-router';
import { CrashedScreen } from './root.tsx';
import { accountRoutes } from './routes/account.ts';
import { adminAccessRoutes } from './routes/admin-access.ts';
import { adminWorkgroupRoutes } from './routes/admin-workgroup.ts';
import { announcementsRoutes } from './routes/announcements.ts';
import { root, shell } from './routes/base.ts';
import { devicesRoutes } from './routes/devices.ts';
import { opsteamRoutes } from './routes/opsteam.ts';
import { publicRoutes } from './routes/public.ts';
import { onSignOut } from './session.ts';

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

export const router = createRouter({
  routeTree: root.addChildren([
    ...publicRoutes,
    shell.addChildren([
      ...accountRoutes,
      ...adminAccessRoutes,
      ...adminWorkgroupRoutes,
      ...devicesRoutes,
      ...announcementsRoutes,
      ...opsteamRoutes,
    ]),
  ]),
  defaultErrorComponent: CrashedScreen,
  defaultPreload: 'intent',
  scrollRestoration: true,
  // What scrolls is not the window but the screen below the top bar.
  scrollToTopSelectors: ['#main'],
});

let ahead = 0;
const { preloadRoute } = router;
router.preloadRoute = async (options) => {
  ahead++;
  try {
    return await preloadRoute(options);
  } finally {
    ahead--;
  }
};

/** Whether a screen is being loaded that nobody opened yet, because a pointer rests on its link. */
export const isLoadingAhead = (): boolean => ahead > 0;

/** Where the end of a session leads. */
export function followSignOut(): void {
  onSignOut((reason) => {
    if (reason === 'asked') void router.navigate({ to: '/logout', state: { signedOut: true } });
    else {
      const { href, pathname } = router.state.location;
      const publicPage = ['/login', '/logout', '/session-expired', '/'].includes(pathname);
      void router.navigate({ to: '/session-expired', search: publicPage ? {} : { redirect: href } });
    }
  });
}
