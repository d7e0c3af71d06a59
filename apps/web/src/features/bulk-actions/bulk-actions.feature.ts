import { devicesScreens } from '@albedo/contract/devices/devices.screens';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shell } from '../../app/base.ts';
import type { Feature } from '../../app/feature.ts';

const page = createRoute({
  getParentRoute: () => shell,
  path: '/devices/bulk-actions',
  staticData: {
    access: devicesScreens['/devices/bulk-actions'],
    title: 'bulkActions.title',
    support: 'bulk-actions',
  },
  component: lazyRouteComponent(() => import('./bulk-actions-page.tsx'), 'BulkActionsPage'),
});

/** One thing for many devices. */
export const bulkActions = { routes: [page] } as const satisfies Feature;
