import { lazyRouteComponent } from '@tanstack/react-router';
import type { Feature } from '../../app/feature.ts';

/** Work in the background, for the staff. */
export const jobs = {
  parts: {
    findings: [
      {
        at: 100,
        kind: 'mails',
        name: 'jobs.foundMails.name',
        title: 'jobs.foundMails.title',
        advice: 'jobs.foundMails.advice',
      },
      {
        at: 110,
        kind: 'jobs',
        name: 'jobs.foundJobs.name',
        title: 'jobs.foundJobs.title',
        advice: 'jobs.foundJobs.advice',
      },
    ],
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
