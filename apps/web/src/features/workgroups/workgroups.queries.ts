import { workgroupsApi } from '@albedo/contract/workgroups/workgroups.api';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../app/call.ts';

/** The workgroups the user is a member of, sorted by what people call them. */
export const workgroupsQuery = queryOptions({
  queryKey: ['workgroups'],
  queryFn: async ({ signal }) => {
    const workgroups = await call(workgroupsApi.list, {}, signal);
    return workgroups.toSorted((a, b) => a.displayName.localeCompare(b.displayName));
  },
  staleTime: 10 * 60_000,
});
