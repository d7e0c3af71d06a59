import type { FindingWords } from '../../app/feature.ts';

export const findings: readonly FindingWords[] = [
  {
    kind: 'mails',
    name: 'jobs.foundMails.name',
    title: 'jobs.foundMails.title',
    advice: 'jobs.foundMails.advice',
  },
  {
    kind: 'jobs',
    name: 'jobs.foundJobs.name',
    title: 'jobs.foundJobs.title',
    advice: 'jobs.foundJobs.advice',
  },
];
