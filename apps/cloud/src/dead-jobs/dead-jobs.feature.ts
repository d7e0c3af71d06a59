import type { Audit } from '../audit/audit.service.ts';
import { type Bus, hear } from '../bus/bus.ts';
import type { Config } from '../config/config.ts';
import type { Feature } from '../house/feature.ts';
import { measureJobs } from '../jobs/jobs.metrics.ts';
import type { Jobs } from '../jobs/jobs.service.ts';
import { deadJobsChanged } from '../jobs/jobs.topics.ts';
import type { Sockets } from '../sockets/sockets.server.ts';
import { deadJobsFindings } from './dead-jobs.findings.ts';
import { deadJobsRoutes } from './dead-jobs.routes.ts';

/** What the staff see of jobs, and what is counted of them. The queues themselves open with the records. */
export function openDeadJobs(of: {
  config: Config;
  jobs: Jobs;
  bus: Bus;
  audit: Audit;
  sockets: Sockets;
}): Feature<null> {
  const { config, jobs, bus, sockets } = of;
  return {
    name: 'dead-jobs',
    service: null,
    findings: deadJobsFindings(jobs),
    hears: [
      hear(deadJobsChanged, (_told, { isOwn }) => {
        if (isOwn) sockets.tellList('dead-jobs', null);
      }),
    ],
    routes: (app) => deadJobsRoutes(app, of),
    metrics: ({ registry }) => {
      if (config.roles.has('jobs')) measureJobs(jobs, bus, registry);
    },
  };
}
