import { lazyRouteComponent } from '@tanstack/react-router';
import type { Feature } from '../../app/feature.ts';

/** What the disk of the server has damaged, for the staff. */
export const storeChecks = {
  parts: {
    opsteam: [
      {
        at: 76,
        id: 'damages',
        title: 'opsteam.tabs.damages',
        context: 'opsteam.context.damages',
        Content: lazyRouteComponent(() => import('./damage-table.tsx'), 'DamageTable'),
      },
    ],
  },
} as const satisfies Feature;
