import { lazyRouteComponent } from '@tanstack/react-router';
import type { Feature } from '../../app/feature.ts';

/** Our documentation beside the screen. */
export const help = {
  parts: {
    documentation: [{ at: 10, Content: lazyRouteComponent(() => import('./help-panel.tsx'), 'HelpPanel') }],
  },
} as const satisfies Feature;
