import { auditScreens } from '@albedo/contract/audit/audit.screens';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { adminAccess } from '../../app/areas.ts';
import type { Feature } from '../../app/feature.ts';

const log = createRoute({
  getParentRoute: () => adminAccess,
  path: '/audit',
  staticData: {
    access: auditScreens['/admin/access/audit'],
    title: 'audit.title',
    support: 'access',
    tab: { at: 50, context: 'access.context.audit', isFilling: true },
  },
  component: lazyRouteComponent(() => import('./logs.tsx'), 'WorkgroupLog'),
});

/** What people did. */
export const audit = {
  accessRoutes: [log],
  parts: {
    menu: [
      {
        at: 40,
        under: 'menu.admin',
        title: 'menu.audit',
        to: '/admin/access/audit',
        keys: 'g l',
      },
    ],
    device: [
      {
        at: 110,
        id: 'audit',
        title: 'audit.tab',
        right: 'audit',
        Content: lazyRouteComponent(() => import('./logs.tsx'), 'DeviceLog'),
      },
    ],
    opsteam: [
      {
        at: 70,
        id: 'audit',
        title: 'opsteam.tabs.audit',
        context: 'opsteam.context.audit',
        Content: lazyRouteComponent(() => import('./logs.tsx'), 'ProviderLog'),
      },
    ],
  },
} as const satisfies Feature;
