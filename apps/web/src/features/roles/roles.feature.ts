import { lazyRouteComponent } from '@tanstack/react-router';
import type { Feature } from '../../app/feature.ts';

/** Named sets of users, which access-control rules can name. */
export const roles = {
  parts: {
    accessControl: [
      { at: 10, Content: lazyRouteComponent(() => import('./roles-section.tsx'), 'RolesSection') },
    ],
  },
} as const satisfies Feature;
