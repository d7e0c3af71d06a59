import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { type Denial, denialOf, insidePath, landingOf, type RouteInfo, visitorOf } from './guard.ts';
import { loadAllTexts } from './i18n.ts';
import { CrashedScreen, Root } from './root.tsx';
import { getSession, onSignOut } from './session.ts';

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption extends RouteInfo {}
  interface Register {
    router: typeof router;
  }
}

const notFound = lazyRouteComponent(() => import('../routes/not-found.tsx'), 'NotFoundPage');

const root = createRootRoute({ component: Root, notFoundComponent: notFound });

/** Where somebody who is signed in starts. */
function landing(): string {
  const session = getSession();
  return landingOf(session && visitorOf(session));
}

/** Leads whoever may not open the route to the login, or to what says what is missing. */
function demandAccess(guard: RouteInfo, href: string): void {
  const session = getSession();
  if (!session) throw redirect({ to: '/login', search: { redirect: href } });
  const visitor = visitorOf(session);
  const denial = visitor && denialOf(guard, visitor);
  if (denial) throw redirect({ to: '/access-denied', search: denial });
}

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: getSession() ? landing() : '/login' });
  },
});

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  staticData: { title: 'login.title', dashboardOnly: true, restricted: true },
  validateSearch: (search: Record<string, unknown>): { redirect?: string; email?: string } => ({
    ...(typeof search.redirect === 'string' ? { redirect: search.redirect } : {}),
    ...(typeof search.email === 'string' ? { email: search.email } : {}),
  }),
  beforeLoad: ({ search }) => {
    if (getSession()) throw redirect({ href: insidePath(search.redirect, landing()) });
  },
  component: lazyRouteComponent(() => import('../routes/login.tsx'), 'LoginPage'),
});

const logout = createRoute({
  getParentRoute: () => root,
  path: '/logout',
  staticData: { title: 'logout.title', dashboardOnly: true, restricted: true },
  component: lazyRouteComponent(() => import('../routes/logout.tsx'), 'LogoutPage'),
});

const reset = createRoute({
  getParentRoute: () => root,
  path: '/reset/$token',
  staticData: { title: 'reset.title', dashboardOnly: true, restricted: true },
  loader: loadAllTexts,
  component: lazyRouteComponent(() => import('../routes/reset.$token.tsx'), 'ResetPage'),
});

const joinPage = lazyRouteComponent(() => import('../routes/join.tsx'), 'JoinPage');
const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation/$orgName/$token',
  staticData: { title: 'join.page' },
  loader: loadAllTexts,
  component: joinPage,
});
const activation = createRoute({
  getParentRoute: () => root,
  path: '/activate/$token',
  staticData: { title: 'join.page' },
  loader: loadAllTexts,
  component: joinPage,
});

/** An old address of the product. */
const vrouter = createRoute({
  getParentRoute: () => root,
  path: '/vrouter',
  beforeLoad: () => {
    throw redirect({ to: '/' });
  },
});

const sessionExpired = createRoute({
  getParentRoute: () => root,
  path: '/session-expired',
  staticData: { title: 'sessionExpired.title', dashboardOnly: true, restricted: true },
  validateSearch: (search: Record<string, unknown>): { redirect?: string } =>
    typeof search.redirect === 'string' ? { redirect: search.redirect } : {},
  component: lazyRouteComponent(() => import('../routes/session-expired.tsx'), 'SessionExpiredPage'),
});

/** Everything behind sign-in: the shell around it, and the guards before it. */
const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  beforeLoad: ({ location, matches }) => demandAccess(matches.at(-1)?.staticData ?? {}, location.href),
  loader: loadAllTexts,
  staleTime: Number.POSITIVE_INFINITY,
  component: lazyRouteComponent(() => import('../routes/shell.tsx'), 'ShellLayout'),
});

const accessDenied = createRoute({
  getParentRoute: () => shell,
  path: '/access-denied',
  staticData: { title: 'accessDenied.title', dashboardOnly: true, restricted: true, isUnlisted: true },
  validateSearch: (search: Record<string, unknown>): Denial => ({
    ...(isRequired(search.required) ? { required: search.required } : {}),
    ...(typeof search.addon === 'string' ? { addon: search.addon } : {}),
  }),
  component: lazyRouteComponent(() => import('../routes/access-denied.tsx'), 'AccessDeniedPage'),
});

const profile = createRoute({
  getParentRoute: () => shell,
  path: '/profile',
  staticData: { title: 'profile.title', dashboardOnly: true, restricted: true },
  validateSearch: (search: Record<string, unknown>): { tab?: string } =>
    typeof search.tab === 'string' ? { tab: search.tab } : {},
  component: lazyRouteComponent(() => import('../routes/profile.tsx'), 'ProfilePage'),
});

const accessPage = lazyRouteComponent(() => import('../routes/admin.access.tsx'), 'AccessPage');
const access = createRoute({
  getParentRoute: () => shell,
  path: '/admin/access',
  staticData: { permissions: ['manageAccess', 'wgMembers'] },
  beforeLoad: () => {
    throw redirect({ to: '/admin/access/users', replace: true });
  },
});
const accessUsers = createRoute({
  getParentRoute: () => shell,
  path: '/admin/access/users',
  staticData: { title: 'members.users', permissions: ['manageAccess', 'wgMembers'] },
  component: accessPage,
});
const accessInvites = createRoute({
  getParentRoute: () => shell,
  path: '/admin/access/invites',
  staticData: { title: 'members.invites', permissions: ['manageAccess'] },
  component: accessPage,
});

const devices = createRoute({
  getParentRoute: () => shell,
  path: '/devices',
  staticData: { title: 'devices.title', restricted: true },
  component: lazyRouteComponent(() => import('../routes/devices.index.tsx'), 'DevicesPage'),
});

const device = createRoute({
  getParentRoute: () => shell,
  path: '/devices/$deviceId',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/devices/$deviceId/$tab', params: { ...params, tab: 'general' }, replace: true });
  },
});

const deviceTab = createRoute({
  getParentRoute: () => shell,
  path: '/devices/$deviceId/$tab',
  staticData: { title: 'device.title', restricted: true },
  component: lazyRouteComponent(() => import('../routes/devices.$deviceId.tsx'), 'DevicePage'),
});

/** Any other address: one that is reserved is guarded like a screen, and then there is no such page either. */
const other = createRoute({
  getParentRoute: () => root,
  path: '/$',
  staticData: { dashboardOnly: true, restricted: true },
  beforeLoad: async ({ location }) => {
    const { guardWithoutScreen } = await import('./route-table.ts');
    const guard = guardWithoutScreen(location.pathname);
    if (guard) demandAccess(guard, location.href);
  },
  component: notFound,
});

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    login,
    logout,
    reset,
    invitation,
    activation,
    vrouter,
    other,
    sessionExpired,
    shell.addChildren([
      accessDenied,
      profile,
      access,
      accessUsers,
      accessInvites,
      devices,
      device,
      deviceTab,
    ]),
  ]),
  defaultErrorComponent: CrashedScreen,
  defaultPreload: 'intent',
  scrollRestoration: true,
});

/** Where the end of a session leads. */
export function followSignOut(): void {
  onSignOut((reason) => {
    if (reason === 'asked') void router.navigate({ to: '/logout' });
    else {
      const { href, pathname } = router.state.location;
      const publicPage = ['/login', '/logout', '/session-expired', '/'].includes(pathname);
      void router.navigate({ to: '/session-expired', search: publicPage ? {} : { redirect: href } });
    }
  });
}

const isRequired = (value: unknown): value is NonNullable<Denial['required']> =>
  value === 'addons' || value === 'settings' || value === 'permission';
