import { lazyRouteComponent } from '@tanstack/react-router';
import type { Feature } from '../../app/feature.ts';

/** Whether everything that a device captured has arrived. */
export const completeness = {
  parts: {
    findings: [
      {
        at: 10,
        kind: 'gaps',
        name: 'completeness.foundGaps.name',
        title: 'completeness.foundGaps.title',
        advice: 'completeness.foundGaps.advice',
        amount: 'completeness.foundGaps.amount',
        to: '/devices',
        go: 'completeness.foundGaps.go',
      },
      {
        at: 20,
        kind: 'set-aside',
        name: 'completeness.foundSetAside.name',
        title: 'completeness.foundSetAside.title',
        advice: 'completeness.foundSetAside.advice',
        amount: 'completeness.foundSetAside.amount',
        to: '/devices',
        go: 'completeness.foundSetAside.go',
      },
    ],
    deviceMain: [
      { at: 30, Content: lazyRouteComponent(() => import('./completeness-card.tsx'), 'CompletenessCard') },
    ],
  },
} as const satisfies Feature;
