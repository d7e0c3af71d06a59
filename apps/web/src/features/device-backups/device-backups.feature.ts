import { lazyRouteComponent } from '@tanstack/react-router';
import type { Feature } from '../../app/feature.ts';

/** Backups of a device, on its page. */
export const deviceBackups = {
  parts: {
    device: [
      {
        at: 85,
        id: 'backups',
        title: 'deviceBackups.tab',
        right: 'controlDevices',
        Content: lazyRouteComponent(() => import('./backups-tab.tsx'), 'BackupsTab'),
      },
    ],
  },
} as const satisfies Feature;
