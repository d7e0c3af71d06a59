import { workgroupsApi } from '@albedo/contract/workgroups/workgroups.api';
import type { WorkgroupChange } from '@albedo/contract/workgroups/workgroups.schema';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../app/call.ts';
import { withLastState } from '../../app/last-state.ts';
import { queryClient } from '../../app/query-client.ts';
import { takeWorkgroups, useWorkgroup } from '../../app/session.ts';
import { onConnected, onEvent } from '../../app/socket.ts';

/** The workgroups the user is a member of, sorted by what people call them; the session gets them too. */
export const workgroupsQuery = queryOptions({
  queryKey: ['workgroups'],
  queryFn: async ({ signal }) => {
    const workgroups = await withLastState('workgroups', () => call(workgroupsApi.list, {}, signal));
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

/** Asks for the workgroups again whenever one of them changed, then calls `afterwards`; the answer stops it. */
export function followWorkgroups(afterwards: () => void): () => void {
  const known = () => queryClient.getQueryData(workgroupsQuery.queryKey);
  const stops = [
    onEvent('workgroup:changed', () => void refreshWorkgroups().then(afterwards)),
    // Nobody heard of what changed before the connection began, or while it was lost.
    onConnected(async () => {
      const before = known();
      await refreshWorkgroups();
      if (known() !== before) afterwards();
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

export async function changeWorkgroup(wg: string, change: WorkgroupChange): Promise<void> {
  await call(workgroupsApi.update, { params: { wg }, body: change });
  await refreshWorkgroups();
}

/** The settings of the workgroup that is open; none before they are known. */
export function useWorkgroupSettings(): Readonly<Record<string, unknown>> {
  const wg = useWorkgroup();
  return useQuery(workgroupsQuery).data?.find(({ name }) => name === wg)?.settings ?? NONE;
}
const NONE = {};

/** Null takes the setting away. */
export async function setWorkgroupSetting(wg: string, key: string, value: unknown): Promise<void> {
  await call(workgroupsApi.setSetting, { params: { wg, key }, body: { value } });
  await refreshWorkgroups();
}

/** Has the workgroups of the user read again; over when they are. */
export const refreshWorkgroups = (): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: workgroupsQuery.queryKey, refetchType: 'all' });
