import { shellsApi } from '@albedo/contract/shells/shells.api';
import type { RemoteAccess, ShellFactor } from '@albedo/contract/shells/shells.schema';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from '../../app/call.ts';
import { queryClient } from '../../app/query-client.ts';
import { onEvent } from '../../app/socket.ts';

const keys = {
  rule: (wg: string) => ['shell-rule', wg] as const,
  access: (wg: string) => ['remote-access', wg] as const,
  list: (wg: string, device: string) => ['shells', wg, device] as const,
};

/** Whether people may reach into devices of the workgroup at all. */
export const remoteAccessQuery = (wg: string) =>
  queryOptions({
    queryKey: keys.access(wg),
    queryFn: ({ signal }) => call(shellsApi.access, { params: { wg } }, signal),
  });

/** What the confirmation of a terminal takes in the workgroup. */
export const shellRuleQuery = (wg: string) =>
  queryOptions({
    queryKey: keys.rule(wg),
    queryFn: ({ signal }) => call(shellsApi.rule, { params: { wg } }, signal),
  });

export async function setShellRule(wg: string, factor: ShellFactor): Promise<void> {
  const rule = await call(shellsApi.setRule, { params: { wg }, body: { factor } });
  queryClient.setQueryData(keys.rule(wg), rule);
}

/** Who switched off all remote access in the workgroup, as of now; null while nobody has. */
export function useRemoteAccessEnd(wg: string): string | null {
  const { data } = useQuery(remoteAccessQuery(wg));
  useEffect(() => onEvent('remoteAccess:changed', (changed) => tookAccess(wg, changed)), [wg]);
  return data?.isAllowed === false ? (data.changedBy ?? '') : null;
}

/** How soon the end of a shell that is open is seen, ms. */
const OPEN_SHELL_MS = 3000;

/** Asks again while one is open: it ends a moment after it is closed here, or by somebody else. */
export const shellsQuery = (wg: string, device: string) =>
  queryOptions({
    queryKey: keys.list(wg, device),
    queryFn: ({ signal }) => call(shellsApi.list, { params: { wg, device } }, signal),
    refetchInterval: ({ state }) =>
      state.data?.some(({ endedAt }) => endedAt === null) === true ? OPEN_SHELL_MS : false,
  });

export const shellsChanged = (wg: string, device: string) =>
  queryClient.invalidateQueries({ queryKey: keys.list(wg, device) });

export const tookAccess = (wg: string, access: RemoteAccess) =>
  void queryClient.setQueryData(keys.access(wg), access);

/** People are asked to confirm that it is them before. */
export const openShell = (wg: string, device: string) => call(shellsApi.open, { params: { wg, device } });

export const fetchRecording = (wg: string, device: string, shell: string) =>
  call(shellsApi.recording, { params: { wg, device, shell } });

export async function setRemoteAccess(wg: string, isAllowed: boolean): Promise<void> {
  tookAccess(wg, await call(shellsApi.setAccess, { params: { wg }, body: { isAllowed } }));
}
