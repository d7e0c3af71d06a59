import { lazyRouteComponent } from '@tanstack/react-router';
import type { Feature } from '../../app/feature.ts';

/** What only the demo has: a past that is on its way. */
export const demo = {
  parts: {
    background: [{ at: 45, Content: lazyRouteComponent(() => import('./filling-bar.tsx'), 'FillingBar') }],
  },
} as const satisfies Feature;
