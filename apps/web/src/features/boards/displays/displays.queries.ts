import { displaysApi } from '@albedo/contract/displays/displays.api';
import type { NewDisplay } from '@albedo/contract/displays/displays.schema';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../app/call.ts';
import { queryClient } from '../../../app/query-client.ts';

/** The display links of the workgroup, the newest first. */
export const displaysQuery = (wg: string) =>
  queryOptions({
    queryKey: ['displays', wg],
    queryFn: ({ signal }) => call(displaysApi.list, { params: { wg } }, signal),
    refetchInterval: 30_000,
  });

/** Makes a link and answers its address, which is told this once. */
export async function makeDisplay(wg: string, body: NewDisplay): Promise<string> {
  const { token } = await call(displaysApi.create, { params: { wg }, body });
  await queryClient.invalidateQueries({ queryKey: ['displays', wg] });
  return `${window.location.origin}/display#${token}`;
}

export async function revokeDisplay(wg: string, display: string): Promise<void> {
  await call(displaysApi.revoke, { params: { wg, display } });
  await queryClient.invalidateQueries({ queryKey: ['displays', wg] });
}
