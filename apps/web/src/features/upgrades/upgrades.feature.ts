import { lazyRouteComponent } from '@tanstack/react-router';
import type { Feature } from '../../app/feature.ts';

/** The version of the agent of a device, and a newer one. */
export const upgrades = {
  parts: {
    deviceAside: [{ at: 30, Content: lazyRouteComponent(() => import('./agent-card.tsx'), 'AgentCard') }],
  },
} as const satisfies Feature;
