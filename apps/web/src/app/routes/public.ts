import { createRoute, type HistoryState, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { LoginPage, LoginSsoPage } from '../../routes/login.tsx';
import { denialOf, insidePath, visitorOf } from '../guard.ts';
import { loadAllTexts } from '../i18n.ts';
import { getSession } from '../session.ts';
import { demandAccess, forAll, knowWorkgroups, landing, root } from './base.ts';

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  staticData: { support: 'announcements', ...forAll, isUnlisted: true },
  loader: async () => {
    if (getSession()) await Promise.all([knowWorkgroups(), loadAllTexts()]);
  },
  component: lazyRouteComponent(() => import('../../routes/home.tsx'), 'HomePage'),
});

const signup = createRoute({
  getParentRoute: () => root,
  path: '/signup',
  staticData: { title: 'workgroupRequests.page', isUnlisted: true },
  // For strangers; it has no flag for the limited kinds of user.
  beforeLoad: ({ location }) => (getSession() ? demandAccess({}, location.href) : undefined),
  loader: loadAllTexts,
  component: lazyRouteComponent(() => import('../../routes/signup.tsx'), 'SignupPage'),
});

/** What the address of the login card may say. */
const loginSearch = (search: Record<string, unknown>): { redirect?: string; email?: string } => ({
  ...(typeof search.redirect === 'string' ? { redirect: search.redirect } : {}),
  ...(typeof search.email === 'string' ? { email: search.email } : {}),
});

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  staticData: { title: 'login.title', ...forAll },
  validateSearch: loginSearch,
  beforeLoad: async ({ search }) => {
    if (getSession()) throw redirect({ href: insidePath(search.redirect, await landing()) });
  },
  // Everybody's first page: not a request more before it stands.
  component: LoginPage,
});

const loginSso = createRoute({
  getParentRoute: () => root,
  path: '/login/sso',
  staticData: { ...forAll },
  validateSearch: (
    search: Record<string, unknown>,
  ): ReturnType<typeof loginSearch> & { provider?: string } => ({
    ...loginSearch(search),
    ...(typeof search.provider === 'string' ? { provider: search.provider } : {}),
  }),
  beforeLoad: async ({ search }) => {
    if (getSession()) throw redirect({ href: insidePath(search.redirect, await landing()) });
  },
  loader: loadAllTexts,
  component: LoginSsoPage,
});

/** Where an identity provider leads back to: takes the session over and goes on. */
const loginSsoCallback = createRoute({
  getParentRoute: () => root,
  path: '/login/sso/callback',
  staticData: { ...forAll },
  validateSearch: (search: Record<string, unknown>): { error?: string } =>
    typeof search.error === 'string' ? { error: search.error } : {},
  beforeLoad: async ({ search }) => {
    const { completeSso } = await import('../../features/sessions/sso-callback.ts');
    const kind = await completeSso(search.error);
    throw redirect({ href: kind === 'session' ? await landing() : '/login', replace: true });
  },
});

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Somebody just signed out here. */
    signedOut?: boolean;
  }
}

/** There is nobody to sign out, and nobody was. */
function demandSignOut({ location }: { location: { state: HistoryState } }): void {
  if (!getSession() && !location.state.signedOut) throw redirect({ to: '/' });
}

const logoutPage = lazyRouteComponent(() => import('../../routes/logout.tsx'), 'LogoutPage');
const logout = createRoute({
  getParentRoute: () => root,
  path: '/logout',
  staticData: { title: 'logout.title', ...forAll },
  beforeLoad: demandSignOut,
  component: logoutPage,
});

/** Where an identity provider leads to after it signed somebody out. */
const logoutSsoCallback = createRoute({
  getParentRoute: () => root,
  path: '/logout/sso/callback',
  staticData: { title: 'logout.title', ...forAll },
  beforeLoad: demandSignOut,
  component: logoutPage,
});

const reset = createRoute({
  getParentRoute: () => root,
  path: '/reset/$token',
  staticData: { title: 'reset.title', ...forAll },
  loader: loadAllTexts,
  component: lazyRouteComponent(() => import('../../routes/reset.$token.tsx'), 'ResetPage'),
});

const joinPage = lazyRouteComponent(() => import('../../routes/join.tsx'), 'JoinPage');
const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation/$orgName/$token',
  staticData: { title: 'join.page', ...forAll },
  loader: loadAllTexts,
  component: joinPage,
});

const activation = createRoute({
  getParentRoute: () => root,
  path: '/activate/$token',
  staticData: { title: 'join.page', ...forAll },
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
  staticData: { title: 'sessionExpired.title', ...forAll },
  validateSearch: (search: Record<string, unknown>): { redirect?: string } =>
    typeof search.redirect === 'string' ? { redirect: search.redirect } : {},
  component: lazyRouteComponent(() => import('../../routes/session-expired.tsx'), 'SessionExpiredPage'),
});

/**
 * Any other address. One that is reserved is guarded like a screen; where it is the start page of somebody who may open
 * the devices they are brought there, as long as it has no screen.
 */
const other = createRoute({
  getParentRoute: () => root,
  path: '/$',
  staticData: { ...forAll },
  beforeLoad: async ({ location }) => {
    const { guardWithoutScreen } = await import('../route-table.ts');
    const guard = guardWithoutScreen(location.pathname);
    if (!guard) return;
    await demandAccess(guard, location.href);
    const isStart = location.pathname === (await landing());
    if (isStart && mayOpenDevices()) throw redirect({ to: '/devices', replace: true });
  },
  loader: () => (getSession() ? loadAllTexts() : undefined),
  component: lazyRouteComponent(() => import('../../routes/other.tsx'), 'OtherPage'),
});

function mayOpenDevices(): boolean {
  const session = getSession();
  const visitor = session && visitorOf(session);
  return visitor !== null && denialOf({ restricted: true }, visitor) === null;
}

/** What anybody can open. */
export const publicRoutes = [
  home,
  signup,
  login,
  loginSso,
  loginSsoCallback,
  logout,
  logoutSsoCallback,
  reset,
  invitation,
  activation,
  vrouter,
  sessionExpired,
  other,
] as const;
