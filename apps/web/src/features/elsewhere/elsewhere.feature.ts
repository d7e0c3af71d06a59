import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { demandAccess, denialIn, forAll, landing, root, shell } from '../../app/base.ts';
import type { Feature } from '../../app/feature.ts';
import { denialOf, visitorOf } from '../../app/guard.ts';
import { loadAllTexts } from '../../app/i18n.ts';
import { isInside, openInside } from '../../app/inside.ts';
import { getSession } from '../../app/session.ts';

/** An old address of the product. */
const vrouter = createRoute({
  getParentRoute: () => root,
  path: '/vrouter',
  beforeLoad: () => {
    throw redirect({ to: '/' });
  },
});

/**
 * Any other address: of a screen behind sign-in, while those are not loaded yet, or of none. One that is reserved is
 * guarded like a screen; where it is the start page of somebody who may open the devices they are brought there, as long
 * as it has no screen.
 */
const other = createRoute({
  getParentRoute: () => root,
  path: '/$',
  staticData: { ...forAll },
  beforeLoad: async ({ location }) => {
    if (!isInside()) {
      await openInside();
      throw redirect({ href: location.href, replace: true });
    }
    const { guardWithoutScreen } = await import('../../app/route-table.ts');
    const guard = guardWithoutScreen(location.pathname);
    if (!guard) return;
    await demandAccess(guard, location.href);
    const isStart = location.pathname === (await landing());
    if (isStart && mayOpenDevices()) throw redirect({ to: '/devices', replace: true });
  },
  loader: () => (getSession() ? loadAllTexts() : undefined),
  component: lazyRouteComponent(() => import('./other.tsx'), 'OtherPage'),
});

function mayOpenDevices(): boolean {
  const session = getSession();
  const visitor = session && visitorOf(session);
  return visitor !== null && denialOf({ restricted: true }, visitor) === null;
}

const accessDenied = createRoute({
  getParentRoute: () => shell,
  path: '/access-denied',
  staticData: { title: 'accessDenied.title', support: 'start', ...forAll, isUnlisted: true },
  validateSearch: denialIn,
  component: lazyRouteComponent(() => import('./access-denied.tsx'), 'AccessDeniedPage'),
});

/** It has no screen; without a route it would be taken for a device of that id, and open to everybody. */
const bulkActions = createRoute({
  getParentRoute: () => shell,
  path: '/devices/bulk-actions',
  staticData: { permissions: ['controlDevices'] },
  component: lazyRouteComponent(() => import('./no-screen.tsx'), 'NoScreenPage'),
});

/** Addresses that lead to no screen. */
export const elsewhere = {
  publicRoutes: [vrouter, other],
  routes: [accessDenied, bulkActions],
} as const satisfies Feature;
