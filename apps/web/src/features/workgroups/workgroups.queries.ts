import { workgroupsApi } from '@albedo/contract/workgroups/workgroups.api';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../app/call.ts';
import { queryClient } from '../../app/query-client.ts';
import { takeWorkgroups } from '../../app/session.ts';

/** The workgroups the user is a member of, sorted by what people call them; the session is told of them too. */
export const workgroupsQuery = queryOptions({
  queryKey: ['workgroups'],
  queryFn: async ({ signal }) => {
    const workgroups = await call(workgroupsApi.list, {}, signal);
    const sorted = workgroups.toSorted((a, b) => a.displayName.localeCompare(b.displayName));
    takeWorkgroups(sorted);
    return sorted;
  },
  staleTime: 10 * 60_000,
});

/** Brings the workgroups into the session. Errors: as the call. */
export async function loadWorkgroups(): Promise<void> {
  takeWorkgroups(await queryClient.ensureQueryData(workgroupsQuery));
}
