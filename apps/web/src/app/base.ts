import { member } from '@albedo/contract/access/access';
import type { Screen } from '@albedo/contract/access/screens';
import { createRootRoute, createRoute, redirect } from '@tanstack/react-router';
import {
  type Denial,
  denialOf,
  landingOf,
  type Missing,
  missingOf,
  type RouteInfo,
  visitorOf,
} from './guard.ts';
import { loadAllTexts, loadFirstTexts } from './i18n.ts';
import { leadOn, openInside } from './inside.ts';
import { screenAt } from './later.ts';
import { NotFoundPage } from './not-found.tsx';
import { Root } from './root.tsx';
import { getSession } from './session.ts';

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption extends RouteInfo {}
  interface HistoryState {
    /** What the page of a refusal tells beyond its address. */
    missing?: Missing;
  }
}

export const root = createRootRoute({ component: Root, notFoundComponent: NotFoundPage });

/** Where somebody who is signed in starts. Asks the server for the workgroups the first time. */
export async function landing(): Promise<string> {
  await knowWorkgroups();
  return startPage();
}

/** The same as far as it is known by now. */
export function startPage(): string {
  const session = getSession();
  return landingOf(session && visitorOf(session));
}

/** Sends visitors who may not open the screen to the login, or to the page that says what is missing. */
export async function demandAccess(screen: Screen, href: string): Promise<void> {
  if (!getSession()) throw redirect({ to: '/login', search: { redirect: href } });
  await knowWorkgroups();
  const session = getSession();
  const visitor = session && visitorOf(session);
  const denial = visitor && denialOf(screen, visitor);
  if (visitor && denial)
    throw redirect({ to: '/access-denied', search: denial, state: { missing: missingOf(screen, visitor) } });
  if (session) await demandMore(screen, session.workgroup);
}

/** Sends on whoever opened an address that only stands for another one. */
export function demandScreen(path: string): void {
  const to = leadOn(path.replace(/(?<=.)\/$/, ''));
  if (to !== null) throw redirect({ to, replace: true });
}

/** What features guard by themselves, such as the rules on resources, which the server tells. */
async function demandMore(screen: Screen, workgroup: string): Promise<void> {
  for (const { denial: denialFor } of await openInside()) {
    const denial = (await denialFor?.(screen, workgroup)) ?? null;
    if (denial) throw redirect({ to: '/access-denied', search: denial });
  }
}

/** Everything behind sign-in: the shell around it, and the guards before it. */
export const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  beforeLoad: async ({ location, matches }) => {
    const { access = member, isFirst } = matches.at(-1)?.staticData ?? {};
    await demandAccess(access, location.href);
    demandScreen(location.pathname);
    await (isFirst ? loadFirstTexts() : loadAllTexts());
  },
  component: screenAt('frame'),
});

/** What the guards have to know of the workgroups; the sign-in page does without. */
export async function knowWorkgroups(): Promise<void> {
  if (!getSession() || getSession()?.workgroups) return;
  await Promise.all((await openInside()).map(({ enter }) => enter?.()));
}

/** What an address says is missing. */
export const denialIn = (search: Record<string, unknown>): Denial => ({
  ...(isRequired(search.required) ? { required: search.required } : {}),
  ...(typeof search.addon === 'string' ? { addon: search.addon } : {}),
  ...(typeof search.label === 'string' ? { label: search.label } : {}),
});

const REQUIRED = ['addons', 'settings', 'permission', 'access-control', 'device-group'] as const;
const isRequired = (value: unknown): value is NonNullable<Denial['required']> =>
  typeof value === 'string' && (REQUIRED as readonly string[]).includes(value);
