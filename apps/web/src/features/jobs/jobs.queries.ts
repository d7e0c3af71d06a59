import { jobsApi } from '@albedo/contract/jobs/jobs.api';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../app/call.ts';
import { followList, unlessTold } from '../../app/live-list.ts';
import { queryClient } from '../../app/query-client.ts';

followList('dead-jobs', ['dead-jobs']);

/** Jobs that have failed for good; for the staff. */
export const deadJobsQuery = queryOptions({
  queryKey: ['dead-jobs'],
  queryFn: ({ signal }) => call(jobsApi.dead, {}, signal),
  refetchInterval: unlessTold(30_000),
});

const refresh = () => queryClient.invalidateQueries({ queryKey: deadJobsQuery.queryKey });

export async function tryJobAgain(job: string): Promise<void> {
  await call(jobsApi.tryAgain, { params: { job } });
  await refresh();
}

export async function deleteJob(job: string): Promise<void> {
  await call(jobsApi.remove, { params: { job } });
  await refresh();
}
