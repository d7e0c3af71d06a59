import { lazyRouteComponent } from '@tanstack/react-router';
import type { Feature } from '../../app/feature.ts';

/** The networks that a device is in, and what it finds there. */
export const discovery = {
  parts: {
    device: [
      {
        at: 50,
        id: 'network',
        title: 'discovery.network',
        right: 'controlDevices',
        Content: lazyRouteComponent(() => import('./network-tab.tsx'), 'NetworkTab'),
      },
      {
        at: 55,
        id: 'discovery',
        title: 'discovery.tab',
        right: 'discovery',
        Content: lazyRouteComponent(() => import('./discovery-tab.tsx'), 'DiscoveryTab'),
      },
    ],
  },
} as const satisfies Feature;
