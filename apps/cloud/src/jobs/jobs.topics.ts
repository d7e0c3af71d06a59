import { topic } from '../bus/topic.ts';

/** A job waits to be run. */
export const jobSent = topic<{ job: string }>('job:sent');

/** One attempt at a job has ended. */
export const jobRan = topic<{ job: string; outcome: JobOutcome; tookS: number }>('job:ran', {
  reach: 'process',
});

/** Dead letters came or went. */
export const deadJobsChanged = topic<Record<string, never>>('jobs:dead');

/** `put back`: the process stops, and the job runs again elsewhere. `overtaken`: it does already. */
export type JobOutcome = 'done' | 'failed' | 'dead' | 'put back' | 'overtaken';
