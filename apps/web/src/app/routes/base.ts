import { createRootRoute, createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import {
  ACCESS_CONTROL,
  type Denial,
  denialOf,
  landingOf,
  type Missing,
  missingOf,
  type RouteInfo,
  ruleDenialOf,
  visitorOf,
} from '../guard.ts';
import { loadAllTexts } from '../i18n.ts';
import { Root } from '../root.tsx';
import { getSession } from '../session.ts';

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption extends RouteInfo {}
  interface HistoryState {
    /** What the page of a refusal tells beyond its address. */
    missing?: Missing;
  }
}

export const notFound = lazyRouteComponent(() => import('../../routes/not-found.tsx'), 'NotFoundPage');

export const root = createRootRoute({ component: Root, notFoundComponent: notFound });

/** Flags of a route that everybody who is signed in may open. */
export const forAll = { dashboardOnly: true, restricted: true } as const;

/** Where somebody who is signed in starts. Asks the server for the workgroups the first time. */
export async function landing(): Promise<string> {
  await knowWorkgroups();
  const session = getSession();
  return landingOf(session && visitorOf(session));
}

/** Leads whoever may not open the route to the login, or to what says what is missing. */
export async function demandAccess(guard: RouteInfo, href: string): Promise<void> {
  if (!getSession()) throw redirect({ to: '/login', search: { redirect: href } });
  await knowWorkgroups();
  const session = getSession();
  const visitor = session && visitorOf(session);
  const denial = visitor && denialOf(guard, visitor);
  if (visitor && denial)
    throw redirect({ to: '/access-denied', search: denial, state: { missing: missingOf(guard, visitor) } });
  if (session && visitor?.addons.includes(ACCESS_CONTROL)) await demandRule(guard, session.workgroup);
}

/** Guard 7 of the specification: the rules on resources, which the server tells. */
async function demandRule(guard: RouteInfo, workgroup: string): Promise<void> {
  if (!guard.rule) return;
  const { loadMyAccess } = await import('../../features/access-control/access-control.queries.ts');
  const denial = ruleDenialOf(guard, await loadMyAccess(workgroup));
  if (denial) throw redirect({ to: '/access-denied', search: denial });
}

/** Everything behind sign-in: the shell around it, and the guards before it. */
export const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  beforeLoad: ({ location, matches }) => demandAccess(matches.at(-1)?.staticData ?? {}, location.href),
  loader: loadAllTexts,
  staleTime: Number.POSITIVE_INFINITY,
  component: lazyRouteComponent(() => import('../../routes/shell.tsx'), 'ShellLayout'),
});

/** What the guards have to know of the workgroups; the sign-in page does without. */
export async function knowWorkgroups(): Promise<void> {
  if (!getSession() || getSession()?.workgroups) return;
  const [{ loadWorkgroups }, { loadSettings }] = await Promise.all([
    import('../../features/workgroups/workgroups.queries.ts'),
    import('../../features/settings/settings.queries.ts'),
  ]);
  await Promise.all([loadWorkgroups(), loadSettings()]);
}

/** What an address says is missing. */
export const denialIn = (search: Record<string, unknown>): Denial => ({
  ...(isRequired(search.required) ? { required: search.required } : {}),
  ...(typeof search.addon === 'string' ? { addon: search.addon } : {}),
  ...(typeof search.label === 'string' ? { label: search.label } : {}),
});

const isRequired = (value: unknown): value is NonNullable<Denial['required']> =>
  value === 'addons' || value === 'settings' || value === 'permission' || value === 'access-control';
