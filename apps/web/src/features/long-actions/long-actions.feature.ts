import { lazyRouteComponent } from '@tanstack/react-router';
import type { Feature } from '../../app/feature.ts';

/** What takes longer than a request. */
export const longActions = {
  parts: {
    topBar: [{ at: 5, Content: lazyRouteComponent(() => import('./activity.tsx'), 'Activity') }],
  },
} as const satisfies Feature;
