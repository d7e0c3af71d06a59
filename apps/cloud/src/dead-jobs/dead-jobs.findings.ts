import { can } from '@albedo/contract/access/access';
import { FINDING_DAYS } from '@albedo/contract/diagnostics/diagnostics.names';
import { type FindingSource, foundOf } from '../house/finding.ts';
import type { DeadLetter, Jobs } from '../jobs/jobs.service.ts';

/** The job that sends mails. */
const MAIL = 'mail';

/** Jobs of a workgroup that failed for good. They concern the whole workgroup, so members of a device group do not see them. */
export const deadJobsFindings = (jobs: Pick<Jobs, 'deadOf'>): FindingSource[] => {
  const access = { ...can('coordinate'), unbound: true } as const;
  const lately = async (workgroup: string, now: number): Promise<DeadLetter[]> =>
    (await jobs.deadOf(workgroup)).filter(({ diedAt }) => diedAt.getTime() > now - FINDING_DAYS * 86_400_000);
  return [
    {
      kind: 'mails',
      access,
      // Neither subject nor reason: mail subjects and answers of mail servers are not for every coordinator.
      find: async ({ workgroup, now }) =>
        foundOf(
          'warning',
          (await lately(workgroup, now))
            .filter(({ job }) => job === MAIL)
            .map(({ job, diedAt }) => ({ name: job, at: diedAt.getTime() })),
        ),
    },
    {
      kind: 'jobs',
      access,
      // The reason is for the staff: it may reveal internals of the server.
      find: async ({ workgroup, now }) =>
        foundOf(
          'warning',
          (await lately(workgroup, now))
            .filter(({ job }) => job !== MAIL)
            .map(({ job, diedAt }) => ({ name: job, at: diedAt.getTime() })),
        ),
    },
  ];
};
