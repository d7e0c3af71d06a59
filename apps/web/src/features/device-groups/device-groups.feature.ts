import { deviceGroupsScreens } from '@albedo/contract/device-groups/device-groups.screens';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { adminWorkgroup } from '../../app/areas.ts';
import { shell } from '../../app/base.ts';
import type { Feature } from '../../app/feature.ts';

const groups = createRoute({
  getParentRoute: () => adminWorkgroup,
  path: '/device-groups',
  staticData: {
    access: deviceGroupsScreens['/admin/workgroup/device-groups'],
    title: 'deviceGroups.title',
    support: 'device-groups',
    tab: { at: 40, context: 'deviceGroups.context', isFilling: true },
  },
  component: lazyRouteComponent(() => import('./group-list.tsx'), 'GroupList'),
});

const group = createRoute({
  getParentRoute: () => shell,
  path: '/device-groups/$devGroupId',
  staticData: {
    access: deviceGroupsScreens['/device-groups/$devGroupId'],
    title: 'deviceGroups.one',
    support: 'device-groups',
  },
  component: lazyRouteComponent(() => import('./group-page.tsx'), 'DeviceGroupPage'),
});

/** Which devices members and tokens see. */
export const deviceGroups = {
  routes: [group],
  workgroupRoutes: [groups],
  parts: {
    workgroupSettings: [
      {
        at: 12,
        Content: lazyRouteComponent(() => import('./default-pages-section.tsx'), 'DefaultPagesSection'),
      },
    ],
  },
} as const satisfies Feature;
