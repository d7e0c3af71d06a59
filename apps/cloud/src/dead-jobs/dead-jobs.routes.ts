import { jobsApi } from '@albedo/contract/jobs/jobs.api';
import type { FastifyInstance } from 'fastify';
import { type Actor, actorOf } from '../access/actor.ts';
import { type Audit, PROVIDER_LOG } from '../audit/audit.service.ts';
import { bind } from '../http/bind.ts';
import type { DeadLetter, Jobs } from '../jobs/jobs.service.ts';

/** Failed jobs, for the staff. */
export function deadJobsRoutes(app: FastifyInstance, { jobs, audit }: { jobs: Jobs; audit: Audit }): void {
  const record = (action: string, entity: string, { email, address }: Actor) =>
    audit.record({
      workgroup: PROVIDER_LOG,
      at: Date.now(),
      controller: 'job',
      entity,
      by: email,
      address,
      action,
    });
  bind(app, jobsApi, {
    dead: async () => (await jobs.dead()).map(toDeadJob),
    tryAgain: async (call) => {
      await jobs.tryAgain(call.params.job);
      record('retry', call.params.job, actorOf(call));
      return {};
    },
    remove: async (call) => {
      await jobs.forget(call.params.job);
      record('delete', call.params.job, actorOf(call));
      return {};
    },
  });
}

const toDeadJob = ({ sentAt, diedAt, ...letter }: DeadLetter) => ({
  ...letter,
  sentAt: sentAt.getTime(),
  diedAt: diedAt.getTime(),
});
