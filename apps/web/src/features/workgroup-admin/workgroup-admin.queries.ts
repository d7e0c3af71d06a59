import { userAdminApi } from '@albedo/contract/user-admin/user-admin.api';
import { versionsApi } from '@albedo/contract/versions/versions.api';
import { workgroupAdminApi } from '@albedo/contract/workgroup-admin/workgroup-admin.api';
import type { NewWorkgroupRequest } from '@albedo/contract/workgroup-admin/workgroup-admin.schema';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../app/call.ts';
import { followList, unlessTold } from '../../app/live-list.ts';
import { queryClient } from '../../app/query-client.ts';
import { refreshLongActions } from '../long-actions/long-actions.queries.ts';

followList('workgroups', ['ops-workgroups']);

/** Every workgroup there is; for the staff. */
export const workgroupEntriesQuery = queryOptions({
  queryKey: ['ops-workgroups'],
  queryFn: ({ signal }) => call(workgroupAdminApi.list, {}, signal),
  staleTime: 10_000,
  refetchInterval: unlessTold(60_000),
});

/** Users whose name or e-mail has the text in it. */
export const usersQuery = (search: string) =>
  queryOptions({
    queryKey: ['ops-users', search],
    queryFn: ({ signal }) => call(userAdminApi.list, { query: { search } }, signal),
    placeholderData: keepPreviousData,
  });

/** What runs, as it is now. */
export const versionsQuery = queryOptions({
  queryKey: ['ops-versions'],
  queryFn: ({ signal }) => call(versionsApi.get, {}, signal),
  refetchInterval: 60_000,
});

const refresh = () => queryClient.invalidateQueries({ queryKey: workgroupEntriesQuery.queryKey });

export async function createWorkgroup(wanted: NewWorkgroupRequest): Promise<void> {
  await call(workgroupAdminApi.create, { body: wanted });
  await refresh();
}

export async function suspendWorkgroup(wg: string, suspended: boolean): Promise<void> {
  await call(workgroupAdminApi.suspend, { params: { wg }, body: { suspended } });
  await refresh();
}

/** Begins it; how far it is stands in the top bar. */
export async function exportWorkgroup(wg: string): Promise<void> {
  await call(workgroupAdminApi.export, { params: { wg } });
  await refreshLongActions();
}

export async function deleteWorkgroup(wg: string, phrase: string): Promise<void> {
  await call(workgroupAdminApi.remove, { params: { wg }, body: { phrase } });
  await Promise.all([refresh(), refreshLongActions()]);
}

export async function requireMfa(user: string, mfaRequired: boolean): Promise<void> {
  await call(userAdminApi.requireMfa, { params: { user }, body: { mfaRequired } });
  await queryClient.invalidateQueries({ queryKey: ['ops-users'] });
}

export async function sendReset(user: string): Promise<void> {
  await call(userAdminApi.sendReset, { params: { user } });
}

export async function endSessionsOf(user: string): Promise<void> {
  await call(userAdminApi.endSessions, { params: { user } });
}
