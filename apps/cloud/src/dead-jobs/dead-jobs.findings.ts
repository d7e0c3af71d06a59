import { can } from '@albedo/contract/access/access';
import { FINDING_DAYS } from '@albedo/contract/diagnostics/diagnostics.names';
import { type FindingSource, foundOf } from '../house/finding.ts';
import type { DeadLetter, Jobs } from '../jobs/jobs.service.ts';

/** The job that sends mails: of these one can say what became of which. */
const MAIL = 'mail';

/** Work for a workgroup that failed for good. It is about all of it, so members of a device group are not told. */
export const deadJobsFindings = (jobs: Pick<Jobs, 'deadOf'>): FindingSource[] => {
  const access = { ...can('coordinate'), unbound: true } as const;
  const lately = async (workgroup: string, now: number): Promise<DeadLetter[]> =>
    (await jobs.deadOf(workgroup)).filter(({ diedAt }) => diedAt.getTime() > now - FINDING_DAYS * 86_400_000);
  return [
    {
      kind: 'mails',
      access,
      // Neither what it is about nor why: subjects and answers of mail servers are not for every coordinator.
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
      // Why is for the staff to know: it may name what is inside the server.
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
