import { lazyRouteComponent } from '@tanstack/react-router';
import type { Feature } from '../../app/feature.ts';

/** A device in one's hand: a label for its box, and its address for somebody else. */
export const deviceLabel = {
  parts: {
    deviceAside: [
      { at: 90, Content: lazyRouteComponent(() => import('./device-label-card.tsx'), 'DeviceLabelCard') },
    ],
  },
} as const satisfies Feature;
