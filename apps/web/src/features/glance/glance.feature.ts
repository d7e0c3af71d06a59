import { lazyRouteComponent } from '@tanstack/react-router';
import type { Feature } from '../../app/feature.ts';

/** What somebody has to know of a plant who looks for ten seconds: the first thing on its page. */
export const glance = {
  parts: {
    deviceHead: [{ at: 3, Content: lazyRouteComponent(() => import('./plant-head.tsx'), 'PlantHead') }],
  },
} as const satisfies Feature;
