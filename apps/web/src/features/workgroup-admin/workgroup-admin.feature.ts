import { workgroupAdminScreens } from '@albedo/contract/workgroup-admin/workgroup-admin.screens';
import { IconLifebuoy } from '@tabler/icons-react';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shell } from '../../app/base.ts';
import type { Feature } from '../../app/feature.ts';

const opsteam = createRoute({
  getParentRoute: () => shell,
  path: '/opsteam',
  staticData: { access: workgroupAdminScreens['/opsteam'], title: 'opsteam.title', support: 'ops-team' },
  component: lazyRouteComponent(() => import('./opsteam-page.tsx'), 'OpsteamPage'),
});

/** The area of the provider's staff; its tab stands in the parameter `tab`. */
export const workgroupAdmin = {
  routes: [opsteam],
  parts: {
    menu: [{ at: 120, title: 'menu.opsTeam', to: '/opsteam', Icon: IconLifebuoy, keys: 'g o' }],
    opsteam: [
      {
        at: 10,
        id: 'workgroups',
        title: 'opsteam.tabs.workgroups',
        context: 'opsteam.context.workgroups',
        Content: lazyRouteComponent(() => import('./workgroup-table.tsx'), 'WorkgroupTable'),
      },
      {
        at: 20,
        id: 'users',
        title: 'opsteam.tabs.users',
        context: 'opsteam.context.users',
        Content: lazyRouteComponent(() => import('./user-table.tsx'), 'UserTable'),
      },
      {
        at: 80,
        id: 'versions',
        title: 'opsteam.tabs.versions',
        context: 'opsteam.context.versions',
        Content: lazyRouteComponent(() => import('./versions-panel.tsx'), 'VersionsPanel'),
      },
    ],
  },
} as const satisfies Feature;
