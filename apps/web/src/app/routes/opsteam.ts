import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shell } from './base.ts';

const opsteam = createRoute({
  getParentRoute: () => shell,
  path: '/opsteam',
  staticData: { title: 'opsteam.title', support: 'ops-team', staff: true },
  component: lazyRouteComponent(() => import('../../routes/opsteam.tsx'), 'OpsteamPage'),
});

/** The area of the provider's staff; its tab stands in the parameter `tab`. */
export const opsteamRoutes = [opsteam] as const;
