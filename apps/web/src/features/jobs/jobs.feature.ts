import { lazyRouteComponent } from '@tanstack/react-router';
import type { Feature } from '../../app/feature.ts';

/** Work in the background, for the staff. */
export const jobs = {
  parts: {
    findings: [{ at: 100, load: () => import('./jobs.findings.ts') }],
    opsteam: [
      {
        at: 75,
        id: 'jobs',
        title: 'opsteam.tabs.jobs',
        context: 'opsteam.context.jobs',
        Content: lazyRouteComponent(() => import('./dead-job-table.tsx'), 'DeadJobTable'),
      },
    ],
  },
} as const satisfies Feature;
