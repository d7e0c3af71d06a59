import { workgroupsScreens } from '@albedo/contract/workgroups/workgroups.screens';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { adminWorkgroup } from '../../app/areas.ts';
import type { Feature } from '../../app/feature.ts';

const panel = createRoute({
  getParentRoute: () => adminWorkgroup,
  path: '/addons',
  staticData: {
    access: workgroupsScreens['/admin/workgroup/addons'],
    title: 'workgroup.addons.title',
    support: 'workgroup',
    tab: { at: 30, context: 'workgroup.addons.context' },
  },
  component: lazyRouteComponent(() => import('./addon-panel.tsx'), 'AddonsPage'),
});

/** What the provider enabled for a workgroup. */
export const addons = {
  workgroupRoutes: [panel],
  parts: {
    opsteamWorkgroup: [
      { at: 10, Content: lazyRouteComponent(() => import('./addon-panel.tsx'), 'AddonPanel') },
    ],
  },
} as const satisfies Feature;
