import { accountsApi } from '@albedo/contract/accounts/accounts.api';
import { workgroupRequestsApi } from '@albedo/contract/workgroup-requests/workgroup-requests.api';
import type {
  StoredRequest,
  WorkgroupRequest,
} from '@albedo/contract/workgroup-requests/workgroup-requests.schema';
import { queryOptions } from '@tanstack/react-query';
import { ApiError, call } from '../../app/call.ts';
import { followList, unlessTold } from '../../app/live-list.ts';
import { queryClient } from '../../app/query-client.ts';

followList('workgroup-requests', ['workgroup-requests']);

/** The countries with their dial codes, by name in the language. */
export const countriesQuery = (language: string) =>
  queryOptions({
    queryKey: ['countries', language],
    queryFn: async () => (await import('./countries.ts')).countriesIn(language),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** False when an account has the address. Errors: when it cannot be known now. */
export const isAvailableQuery = (email: string) =>
  queryOptions({
    queryKey: ['available', email],
    queryFn: async ({ signal }) => {
      try {
        await call(accountsApi.isAvailable, { query: { email } }, signal);
        return true;
      } catch (error) {
        if (error instanceof ApiError && error.code === 409) return false;
        throw error;
      }
    },
    staleTime: 60_000,
    retry: false,
  });

/** Errors: 409 with a sentence when an account has the address by now. */
export async function submitRequest(request: WorkgroupRequest): Promise<void> {
  await call(workgroupRequestsApi.submit, { body: request });
}

/** All requests, newest first; for the provider's staff. */
export const requestsQuery = queryOptions({
  queryKey: ['workgroup-requests'],
  queryFn: ({ signal }) => call(workgroupRequestsApi.list, {}, signal),
  refetchInterval: unlessTold(60_000),
});

const renew = () => queryClient.invalidateQueries({ queryKey: requestsQuery.queryKey });

/** Makes the workgroup and mails its owner. Errors: with a sentence when the name is taken. */
export async function acceptRequest(
  { _id }: StoredRequest,
  workgroup: { name: string; displayName: string },
): Promise<void> {
  await call(workgroupRequestsApi.accept, { params: { request: _id }, body: workgroup });
  await renew();
}

export async function rejectRequest({ _id }: StoredRequest): Promise<void> {
  await call(workgroupRequestsApi.reject, { params: { request: _id } });
  await renew();
}
