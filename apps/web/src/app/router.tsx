import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { insidePath, LANDING, missingFor, type RouteInfo } from './guard.ts';
import { CrashedScreen, Root } from './root.tsx';
import { getSession, onSignOut } from './session.ts';

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption extends Partial<RouteInfo> {}
  interface Register {
    router: typeof router;
  }
}

const root = createRootRoute({
  component: Root,
  notFoundComponent: lazyRouteComponent(() => import('../routes/not-found.tsx'), 'NotFoundPage'),
});

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: getSession() ? LANDING : '/login' });
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
    if (getSession()) throw redirect({ href: insidePath(search.redirect) });
  },
  component: lazyRouteComponent(() => import('../routes/login.tsx'), 'LoginPage'),
});

const logout = createRoute({
  getParentRoute: () => root,
  path: '/logout',
  staticData: { title: 'logout.title', dashboardOnly: true, restricted: true },
  component: lazyRouteComponent(() => import('../routes/logout.tsx'), 'LogoutPage'),
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
  beforeLoad: ({ location, matches }) => {
    const session = getSession();
    if (!session) throw redirect({ to: '/login', search: { redirect: location.href } });
    const scope = session.user.scopes[session.workgroup];
    const route = matches.at(-1)?.staticData;
    if (!scope || !route?.title) return;
    const missing = missingFor({ title: route.title, ...route }, scope);
    if (missing !== null)
      throw redirect({ to: '/access-denied', search: missing === '' ? {} : { required: missing } });
  },
  component: lazyRouteComponent(() => import('../features/shell/shell.tsx'), 'Shell'),
});

const accessDenied = createRoute({
  getParentRoute: () => shell,
  path: '/access-denied',
  staticData: { title: 'accessDenied.title', dashboardOnly: true, restricted: true },
  validateSearch: (search: Record<string, unknown>): { required?: string } =>
    typeof search.required === 'string' ? { required: search.required } : {},
  component: lazyRouteComponent(() => import('../routes/access-denied.tsx'), 'AccessDeniedPage'),
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

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    login,
    logout,
    sessionExpired,
    shell.addChildren([accessDenied, devices, device, deviceTab]),
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
