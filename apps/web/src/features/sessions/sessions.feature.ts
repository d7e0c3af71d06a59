import { sessionsScreens } from '@albedo/contract/sessions/sessions.screens';
import { IconLogout } from '@tabler/icons-react';
import { createRoute, type HistoryState, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { knowWorkgroups, landing, root } from '../../app/base.ts';
import type { Feature } from '../../app/feature.ts';
import { insidePath } from '../../app/guard.ts';
import { loadAllTexts } from '../../app/i18n.ts';
import { getSession } from '../../app/session.ts';
import { LoginPage, LoginSsoPage } from './login-page.tsx';

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  staticData: { access: sessionsScreens['/'], support: 'announcements', isUnlisted: true },
  loader: async () => {
    if (getSession()) await Promise.all([knowWorkgroups(), loadAllTexts()]);
  },
  component: lazyRouteComponent(() => import('./home-page.tsx'), 'HomePage'),
});

/** What the address of the login card may say. */
const loginSearch = (search: Record<string, unknown>): { redirect?: string; email?: string } => ({
  ...(typeof search.redirect === 'string' ? { redirect: search.redirect } : {}),
  ...(typeof search.email === 'string' ? { email: search.email } : {}),
});

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  staticData: { access: sessionsScreens['/login'], title: 'login.title' },
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
  staticData: { access: sessionsScreens['/login/sso'] },
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
  staticData: { access: sessionsScreens['/login/sso/callback'] },
  validateSearch: (search: Record<string, unknown>): { error?: string; confirmation?: string } => ({
    ...(typeof search.error === 'string' ? { error: search.error } : {}),
    ...(typeof search.confirmation === 'string' ? { confirmation: search.confirmation } : {}),
  }),
  beforeLoad: async ({ search }) => {
    const { comeBack } = await import('./sso-callback.ts');
    throw redirect({ href: (await comeBack(search)) ?? (await landing()), replace: true });
  },
});

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Somebody just signed out here. */
    signedOut?: boolean;
  }
}

/** Nobody is signed in, and nobody was signed out. */
function demandSignOut({ location }: { location: { state: HistoryState } }): void {
  if (!getSession() && !location.state.signedOut) throw redirect({ to: '/' });
}

const logoutPage = lazyRouteComponent(() => import('./logout-page.tsx'), 'LogoutPage');
const logout = createRoute({
  getParentRoute: () => root,
  path: '/logout',
  staticData: { access: sessionsScreens['/logout'], title: 'logout.title' },
  beforeLoad: demandSignOut,
  component: logoutPage,
});

/** Where an identity provider leads to after it signed somebody out. */
const logoutSsoCallback = createRoute({
  getParentRoute: () => root,
  path: '/logout/sso/callback',
  staticData: { access: sessionsScreens['/logout/sso/callback'], title: 'logout.title' },
  beforeLoad: demandSignOut,
  component: logoutPage,
});

const sessionExpired = createRoute({
  getParentRoute: () => root,
  path: '/session-expired',
  staticData: { access: sessionsScreens['/session-expired'], title: 'sessionExpired.title' },
  validateSearch: (search: Record<string, unknown>): { redirect?: string } =>
    typeof search.redirect === 'string' ? { redirect: search.redirect } : {},
  component: lazyRouteComponent(() => import('./session-expired-page.tsx'), 'SessionExpiredPage'),
});

/** Signing in and out, and the start page. */
export const sessions = {
  publicRoutes: [home, login, loginSso, loginSsoCallback, logout, logoutSsoCallback, sessionExpired],
  parts: { menu: [{ at: 130, title: 'menu.logout', to: '/logout', Icon: IconLogout }] },
} as const satisfies Feature;
