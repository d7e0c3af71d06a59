import { lazyRouteComponent } from '@tanstack/react-router';
import type { Feature } from '../../app/feature.ts';

/** Whether everything that a device captured has arrived. */
export const completeness = {
  parts: {
    deviceMain: [
      { at: 30, Content: lazyRouteComponent(() => import('./completeness-card.tsx'), 'CompletenessCard') },
    ],
  },
} as const satisfies Feature;
