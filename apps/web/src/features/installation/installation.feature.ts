import { lazyRouteComponent } from '@tanstack/react-router';
import type { Feature } from '../../app/feature.ts';

/** What this installation is, and where else the workgroup is set up. */
export const installation = {
  parts: {
    workgroupSettings: [
      {
        at: 90,
        Content: lazyRouteComponent(() => import('./installation-section.tsx'), 'InstallationSection'),
      },
    ],
  },
} as const satisfies Feature;
