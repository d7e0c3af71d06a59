import { lazyRouteComponent } from '@tanstack/react-router';
import type { Feature } from '../../app/feature.ts';

/** Whether everything that a device captured has arrived. */
export const completeness = {
  parts: {
    findings: [{ at: 10, load: () => import('./completeness.findings.ts') }],
    deviceMain: [
      { at: 30, Content: lazyRouteComponent(() => import('./completeness-card.tsx'), 'CompletenessCard') },
    ],
  },
} as const satisfies Feature;
