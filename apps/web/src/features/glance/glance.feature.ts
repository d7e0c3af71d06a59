import { lazyRouteComponent } from '@tanstack/react-router';
import type { Feature } from '../../app/feature.ts';

/** The first thing on a plant's page: what somebody needs to know who looks for ten seconds. */
export const glance = {
  parts: {
    deviceHead: [{ at: 3, Content: lazyRouteComponent(() => import('./plant-head.tsx'), 'PlantHead') }],
  },
} as const satisfies Feature;
