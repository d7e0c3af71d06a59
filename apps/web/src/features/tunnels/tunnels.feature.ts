import { lazyRouteComponent } from '@tanstack/react-router';
import type { Feature } from '../../app/feature.ts';

/** Ways into the network of a device, on its page. */
export const tunnels = {
  parts: {
    device: [
      {
        at: 95,
        id: 'tunnels',
        title: 'tunnels.tab',
        right: 'tunnel',
        Content: lazyRouteComponent(() => import('./tunnels-tab.tsx'), 'TunnelsTab'),
      },
    ],
  },
} as const satisfies Feature;
