import { lazyRouteComponent } from '@tanstack/react-router';
import type { Feature } from '../../app/feature.ts';

/** Asks people once more who they are, before what a stolen session must not do. */
export const stepUp = {
  parts: {
    background: [
      { at: 50, Content: lazyRouteComponent(() => import('./step-up-dialog.tsx'), 'StepUpDialog') },
    ],
  },
} as const satisfies Feature;
