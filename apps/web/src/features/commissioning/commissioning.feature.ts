import { commissioningScreens } from '@albedo/contract/commissioning/commissioning.screens';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shell } from '../../app/base.ts';
import type { Feature } from '../../app/feature.ts';

const start = createRoute({
  getParentRoute: () => shell,
  path: '/commissioning',
  staticData: {
    access: commissioningScreens['/commissioning'],
    title: 'commissioning.title',
    support: 'first-plant',
  },
  component: lazyRouteComponent(() => import('./start-page.tsx'), 'StartPage'),
});

const one = createRoute({
  getParentRoute: () => shell,
  path: '/commissioning/$commissioning',
  staticData: {
    access: commissioningScreens['/commissioning/$commissioning'],
    title: 'commissioning.title',
    support: 'first-plant',
  },
  component: lazyRouteComponent(() => import('./commissioning-page.tsx'), 'CommissioningPage'),
});

/** From a machine without an agent to a plant on the screen. */
export const commissioning = { routes: [start, one] } as const satisfies Feature;
