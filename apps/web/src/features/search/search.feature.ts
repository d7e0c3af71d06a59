import { lazyRouteComponent } from '@tanstack/react-router';
import type { Feature } from '../../app/feature.ts';

/** The search over everything. */
export const search = {
  parts: {
    searchField: [
      { at: 10, Content: lazyRouteComponent(() => import('./global-search.tsx'), 'GlobalSearch') },
    ],
  },
} as const satisfies Feature;
