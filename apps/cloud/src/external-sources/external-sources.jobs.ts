import { z } from 'zod';
import { defineJob } from '../jobs/job.ts';
import type { Jobs } from '../jobs/jobs.service.ts';
import type { ExternalSources } from './external-sources.service.ts';
import type { ExternalSourcesStore } from './external-sources.store.ts';

/** Reads one source. One that fails has its next turn, so nothing is repeated here. */
export const pullJob = (sources: ExternalSources) =>
  defineJob({
    name: 'external-source-pull',
    payload: z.object({ id: z.uuid() }),
    limitS: 120,
    retry: { times: 0, afterS: 1, atMostS: 1 },
    oneAtATime: { key: ({ id }) => id, waiting: 'one' },
    sideBySide: 4,
    about: ({ id }) => id,
    run: ({ payload: { id } }) => sources.pull(id),
  });

/** Looks every minute which sources are due. */
export const lookJob = (of: {
  store: ExternalSourcesStore;
  jobs: Jobs;
  pulling: ReturnType<typeof pullJob>;
}) =>
  defineJob({
    name: 'external-sources-look',
    payload: z.object({}),
    limitS: 60,
    retry: { times: 0, afterS: 1, atMostS: 1 },
    oneAtATime: { key: () => 'all', waiting: 'one' },
    schedule: { cron: '* * * * *', zone: 'UTC', payload: {} },
    run: async () => {
      for (const { id } of await of.store.takeDue(new Date())) await of.jobs.send(of.pulling, { id });
    },
  });
