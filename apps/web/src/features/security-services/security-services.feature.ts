import { securityServicesScreens } from '@albedo/contract/security-services/security-services.screens';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { adminWorkgroup } from '../../app/areas.ts';
import type { Feature } from '../../app/feature.ts';

const scans = createRoute({
  getParentRoute: () => adminWorkgroup,
  path: '/security-services',
  staticData: {
    access: securityServicesScreens['/admin/workgroup/security-services'],
    title: 'securityServices.title',
    support: 'security-services',
    tab: { at: 45, context: 'securityServices.context', isFilling: true },
  },
  component: lazyRouteComponent(() => import('./scan-list.tsx'), 'ScanList'),
});

/** Scans of sites, from outside and from inside. */
export const securityServices = { workgroupRoutes: [scans] } as const satisfies Feature;
