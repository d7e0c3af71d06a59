import { lazyRouteComponent } from '@tanstack/react-router';
import type { Feature } from '../../app/feature.ts';

/** What a device reads machines with. */
export const plugins = {
  parts: {
    device: [
      {
        at: 60,
        id: 'plugins',
        title: 'plugins.tab',
        right: 'controlDevices',
        Content: lazyRouteComponent(() => import('./plugins-tab.tsx'), 'PluginsTab'),
      },
    ],
  },
} as const satisfies Feature;
