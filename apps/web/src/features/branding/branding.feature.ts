import { brandingScreens } from '@albedo/contract/branding/branding.screens';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { adminWorkgroup } from '../../app/areas.ts';
import type { Feature } from '../../app/feature.ts';

const appearance = createRoute({
  getParentRoute: () => adminWorkgroup,
  path: '/appearance',
  staticData: {
    access: brandingScreens['/admin/workgroup/appearance'],
    title: 'workgroup.appearance.title',
    support: 'workgroup',
    tab: { at: 20, context: 'workgroup.appearance.context' },
  },
  component: lazyRouteComponent(() => import('./workgroup-appearance.tsx'), 'WorkgroupAppearance'),
});

/** Colours, names and images of workgroups and of host names. */
export const branding = {
  workgroupRoutes: [appearance],
  parts: {
    background: [{ at: 30, Content: lazyRouteComponent(() => import('./follow-brand.tsx'), 'FollowBrand') }],
    opsteam: [
      {
        at: 60,
        id: 'branding',
        title: 'opsteam.tabs.branding',
        context: 'opsteam.context.branding',
        Content: lazyRouteComponent(() => import('./host-brands.tsx'), 'HostBrands'),
      },
    ],
  },
} as const satisfies Feature;
