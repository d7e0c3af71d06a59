import { labellingScreens } from '@albedo/contract/labelling/labelling.screens';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { adminWorkgroup } from '../../app/areas.ts';
import type { Feature } from '../../app/feature.ts';

const screen = createRoute({
  getParentRoute: () => adminWorkgroup,
  path: '/labelling',
  staticData: {
    access: labellingScreens['/admin/workgroup/labelling'],
    title: 'labelling.title',
    support: 'labelling',
    tab: { at: 32, context: 'labelling.context' },
  },
  component: lazyRouteComponent(() => import('./labelling-page.tsx'), 'LabellingPage'),
});

/** Labels of sources, and which sources stand below others. */
export const labelling = { workgroupRoutes: [screen] } as const satisfies Feature;
