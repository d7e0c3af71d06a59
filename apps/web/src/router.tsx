import { type AnyRoute, createRouter } from '@tanstack/react-router';
import { adminAccess, adminData, adminEntities, adminWorkgroup } from './app/areas.ts';
import { knowWorkgroups, root, shell, startPage } from './app/base.ts';
import type { Feature } from './app/feature.ts';
import { oneByOne } from './app/in-pieces.ts';
import { openInside, provideFeatures } from './app/inside.ts';
import { CrashedScreen } from './app/root.tsx';
import { followOtherTabs, onSignOut } from './app/session.ts';
import type { features } from './features.ts';
import { publicFeatures } from './public.ts';
import { loadAhead } from './ui/load-ahead.ts';

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

type RouteKind =
  | 'publicRoutes'
  | 'routes'
  | 'accessRoutes'
  | 'dataRoutes'
  | 'workgroupRoutes'
  | 'entityRoutes';
/** Gathered in `Found` on the way: a type that calls itself last may do so for any number of features. */
type RoutesOf<F, K extends RouteKind, Found extends readonly AnyRoute[] = []> = F extends readonly [
  infer First,
  ...infer Rest,
]
  ? RoutesOf<
      Rest,
      K,
      First extends { readonly [P in K]: infer R extends readonly AnyRoute[] } ? [...Found, ...R] : Found
    >
  : Found;

/** All routes of a kind, in the order of the features, with their types. */
const routesOf = <const F extends readonly Feature[], K extends RouteKind>(of: F, kind: K): RoutesOf<F, K> =>
  of.flatMap((one) => one[kind] ?? []) as RoutesOf<F, K>;

/** The tree with the screens behind sign-in. */
const treeOf = (all: typeof features) =>
  root.addChildren([
    ...routesOf(publicFeatures, 'publicRoutes'),
    shell.addChildren([
      ...routesOf(all, 'routes'),
      adminAccess.addChildren(routesOf(all, 'accessRoutes')),
      adminData.addChildren(routesOf(all, 'dataRoutes')),
      adminWorkgroup.addChildren(routesOf(all, 'workgroupRoutes')),
      adminEntities.addChildren(routesOf(all, 'entityRoutes')),
    ]),
  ]);

export const router = createRouter({
  // For links it has all screens from the beginning.
  routeTree: root.addChildren(routesOf(publicFeatures, 'publicRoutes')) as unknown as ReturnType<
    typeof treeOf
  >,
  defaultErrorComponent: CrashedScreen,
  defaultPreload: 'intent',
  scrollRestoration: true,
  // What scrolls is not the window but the screen below the top bar.
  scrollToTopSelectors: ['#main'],
});

provideFeatures(async () => {
  const { features: all, firstFormats } = await import('./features.ts');
  oneByOne(firstFormats);
  router.update({ ...router.options, routeTree: treeOf(all) });
  // It is the same root, which has more below it now.
  router.setRoutes(router.buildRouteTree());
  fetchScreen(router.latestLocation.pathname);
  return all;
});

/** Fetches the files of a screen beside what its guards ask the server, not after that; where it fails, opening one says so. */
function fetchScreen(path: string): void {
  const [matched] = router.getMatchedRoutes(path);
  for (const { options } of matched) {
    const { preload } = (options.component ?? {}) as { preload?: () => Promise<unknown> };
    preload?.().catch(() => {});
  }
}

// Because a pointer rests on its link, a screen is loaded before it is opened.
const { preloadRoute } = router;
router.preloadRoute = (options) => loadAhead(() => preloadRoute(options));

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

/** How long another person who signed in in another tab waits for their start page at most, ms. */
const ARRIVE_MS = 3000;

/** Signing in and switching in another tab of this browser leads this one there too. */
export function followTabs(): void {
  followOtherTabs({
    onUser: async () => {
      const late = new Promise((over) => setTimeout(over, ARRIVE_MS));
      await Promise.race([knowWorkgroups().catch(() => {}), late]);
      await router.navigate({ href: startPage(), replace: true });
    },
    onWorkgroup: async (name) => {
      for (const { openWorkgroup } of await openInside()) await openWorkgroup?.(router, name);
    },
  });
}
