import { lazyRouteComponent } from '@tanstack/react-router';
import type { Feature } from '../../app/feature.ts';

/** Only for the demo: its history is filled in after the start. */
export const demo = {
  parts: {
    background: [{ at: 45, Content: lazyRouteComponent(() => import('./filling-bar.tsx'), 'FillingBar') }],
  },
} as const satisfies Feature;
