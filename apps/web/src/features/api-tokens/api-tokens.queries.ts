import { apiTokensApi } from '@albedo/contract/api-tokens/api-tokens.api';
import type { ApiToken } from '@albedo/contract/api-tokens/api-tokens.schema';
import type { BulkReply } from '@albedo/contract/http/bulk';
import type { EndpointInput } from '@albedo/contract/http/endpoint';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../app/call.ts';
import { followList, unlessTold } from '../../app/live-list.ts';
import { queryClient } from '../../app/query-client.ts';

followList('api-tokens', ['api-tokens']);

const keyOf = (wg: string) => ['api-tokens', wg] as const;

/** The API tokens of a workgroup, newest first; those that ended too. */
export const apiTokensQuery = (wg: string) =>
  queryOptions({
    queryKey: keyOf(wg),
    queryFn: ({ signal }) => call(apiTokensApi.list, { params: { wg } }, signal),
    // Programs use them, and others revoke them.
    refetchInterval: unlessTold(15_000),
  });

/** Answers the secret, which is shown only once. */
export async function makeApiToken(
  wg: string,
  body: EndpointInput<typeof apiTokensApi.create>['body'],
): Promise<string> {
  const { token, ...made } = await call(apiTokensApi.create, { params: { wg }, body });
  queryClient.setQueryData<ApiToken[]>(keyOf(wg), (old) => old && [made, ...old]);
  return token;
}

export async function setCanRenew(wg: string, apiToken: string, canRenew: boolean): Promise<void> {
  keep(wg, await call(apiTokensApi.update, { params: { wg, apiToken }, body: { canRenew } }));
}

export async function revokeApiToken(wg: string, apiToken: string): Promise<void> {
  keep(wg, await call(apiTokensApi.revoke, { params: { wg, apiToken } }));
}

/** Answers the people it failed for. */
export async function revokeApiTokens(wg: string, ids: string[]): Promise<BulkReply> {
  const reply = await call(apiTokensApi.revokeSeveral, { params: { wg }, body: { ids } });
  await queryClient.invalidateQueries({ queryKey: keyOf(wg) });
  return reply;
}

function keep(wg: string, changed: ApiToken): void {
  queryClient.setQueryData<ApiToken[]>(keyOf(wg), (old) =>
    old?.map((one) => (one._id === changed._id ? changed : one)),
  );
}
