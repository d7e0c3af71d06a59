import { lazyRouteComponent } from '@tanstack/react-router';
import type { Feature } from '../../app/feature.ts';

/** Commands of a device: saved ones and a line of one's own, on this device or on many. */
export const deviceCommands = {
  parts: {
    device: [
      {
        at: 60,
        id: 'commands',
        title: 'deviceCommands.tab',
        right: 'commands',
        Content: lazyRouteComponent(() => import('./commands-tab.tsx'), 'CommandsTab'),
      },
    ],
  },
} as const satisfies Feature;
