import { lazyRouteComponent } from '@tanstack/react-router';
import type { Feature } from '../../app/feature.ts';

/** The configuration of a device, on its page. */
export const deviceConfig = {
  parts: {
    device: [
      {
        at: 40,
        id: 'configuration',
        title: 'deviceConfig.tab',
        right: 'controlDevices',
        Content: lazyRouteComponent(() => import('./config-tab.tsx'), 'ConfigTab'),
      },
    ],
  },
} as const satisfies Feature;
