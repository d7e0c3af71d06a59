import { workgroupRequestsScreens } from '@albedo/contract/workgroup-requests/workgroup-requests.screens';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { demandAccess, root } from '../../app/base.ts';
import type { Feature } from '../../app/feature.ts';
import { loadAllTexts } from '../../app/i18n.ts';
import { getSession } from '../../app/session.ts';

const screen = workgroupRequestsScreens['/signup'];
const signup = createRoute({
  getParentRoute: () => root,
  path: '/signup',
  staticData: {
    access: screen,
    title: 'workgroupRequests.page',
    isUnlisted: true,
  },
  // For strangers; it has no flag for the limited kinds of user.
  beforeLoad: ({ location }) => (getSession() ? demandAccess(screen, location.href) : undefined),
  loader: loadAllTexts,
  component: lazyRouteComponent(() => import('./signup-page.tsx'), 'SignupPage'),
});

/** Asking for a workgroup, and the staff that decides. */
export const workgroupRequests = {
  publicRoutes: [signup],
  parts: {
    welcome: [{ at: 10, Content: lazyRouteComponent(() => import('./request-form.tsx'), 'RequestForm') }],
    opsteam: [
      {
        at: 30,
        id: 'requests',
        title: 'opsteam.tabs.requests',
        context: 'opsteam.context.requests',
        Content: lazyRouteComponent(() => import('./request-list.tsx'), 'RequestList'),
      },
    ],
  },
} as const satisfies Feature;
