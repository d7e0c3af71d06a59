import { elsewhereScreens } from '@albedo/contract/access/elsewhere.screens';
import { devicesScreens } from '@albedo/contract/devices/devices.screens';
import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { demandAccess, demandScreen, denialIn, landing, root, shell } from '../../app/base.ts';
import type { Feature } from '../../app/feature.ts';
import { denialOf, visitorOf } from '../../app/guard.ts';
import { loadAllTexts } from '../../app/i18n.ts';
import { isInside, openInside } from '../../app/inside.ts';
import { getSession } from '../../app/session.ts';

/** An old address of the product. */
const vrouter = createRoute({
  getParentRoute: () => root,
  path: '/vrouter',
  staticData: { access: elsewhereScreens['/vrouter'] },
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
  staticData: { access: elsewhereScreens['/$'] },
  beforeLoad: async ({ location }) => {
    if (!isInside()) {
      await openInside();
      throw redirect({ href: location.href, replace: true });
    }
    const { reservedScreen } = await import('../../app/route-table.ts');
    const screen = reservedScreen(location.pathname);
    if (!screen) return;
    await demandAccess(screen, location.href);
    demandScreen(location.pathname);
    const isStart = location.pathname === (await landing());
    if (isStart && mayOpenDevices()) throw redirect({ to: '/devices', replace: true });
  },
  loader: () => (getSession() ? loadAllTexts() : undefined),
  component: lazyRouteComponent(() => import('./other.tsx'), 'OtherPage'),
});

function mayOpenDevices(): boolean {
  const session = getSession();
  const visitor = session && visitorOf(session);
  return visitor !== null && denialOf(devicesScreens['/devices'], visitor) === null;
}

const accessDenied = createRoute({
  getParentRoute: () => shell,
  path: '/access-denied',
  staticData: {
    access: elsewhereScreens['/access-denied'],
    title: 'accessDenied.title',
    support: 'start',
    isUnlisted: true,
  },
  validateSearch: denialIn,
  component: lazyRouteComponent(() => import('./access-denied.tsx'), 'AccessDeniedPage'),
});

/** Addresses that lead to no screen. */
export const elsewhere = {
  publicRoutes: [vrouter, other],
  routes: [accessDenied],
} as const satisfies Feature;
