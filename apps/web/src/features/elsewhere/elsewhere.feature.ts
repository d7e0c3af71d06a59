import { elsewhereScreens } from '@albedo/contract/access/elsewhere.screens';
import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { denialIn, root, shell } from '../../app/base.ts';
import type { Feature } from '../../app/feature.ts';
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

/** Any other address: of a screen behind sign-in, while those are not loaded yet, or of none. */
const other = createRoute({
  getParentRoute: () => root,
  path: '/$',
  staticData: { access: elsewhereScreens['/$'] },
  beforeLoad: async ({ location }) => {
    if (isInside()) return;
    await openInside();
    throw redirect({ href: location.href, replace: true });
  },
  loader: () => (getSession() ? loadAllTexts() : undefined),
  component: lazyRouteComponent(() => import('./other.tsx'), 'OtherPage'),
});

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
