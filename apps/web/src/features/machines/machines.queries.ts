import { machinesApi } from '@albedo/contract/machines/machines.api';
import type { Machine, NewMachine } from '@albedo/contract/machines/machines.schema';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../app/call.ts';
import { followList, unlessTold } from '../../app/live-list.ts';
import { queryClient } from '../../app/query-client.ts';
import { useSignedIn } from '../../app/session.ts';
import { newestIn } from '../../app/versions/newest.ts';

followList('machines', ['machines']);

const keyOf = (wg: string) => ['machines', wg] as const;

/** The machines of the workgroup, by name. */
export const machinesQuery = (wg: string) =>
  queryOptions({
    queryKey: keyOf(wg),
    queryFn: ({ signal }) => call(machinesApi.list, { params: { wg } }, signal),
    staleTime: 5 * 60_000,
    refetchInterval: unlessTold(5 * 60_000),
  });

const NONE: readonly Machine[] = [];

/** The machines, or none where the workgroup is without the addon. */
export function useMachines(wg: string): readonly Machine[] {
  const { workgroups } = useSignedIn();
  const addons = workgroups?.find(({ name }) => name === wg)?.addons ?? [];
  const { data } = useQuery({ ...machinesQuery(wg), enabled: addons.some(({ id }) => id === 'machines') });
  return data ?? NONE;
}

/** A machine as it is now. */
export const newestMachine = (wg: string, id: string): Promise<Machine> =>
  newestIn(queryClient.fetchQuery({ ...machinesQuery(wg), staleTime: 0 }), id);

/** Makes the machine, or puts it in the place of one; with a version, only over that one. */
export async function saveMachine(
  wg: string,
  over: { id: string; version?: number } | null,
  body: NewMachine,
): Promise<Machine> {
  const saved =
    over === null
      ? await call(machinesApi.create, { params: { wg }, body })
      : await call(machinesApi.update, {
          params: { wg, machine: over.id },
          body: { ...body, version: over.version },
        });
  await queryClient.invalidateQueries({ queryKey: keyOf(wg) });
  return saved;
}

export async function removeMachine(wg: string, machine: string): Promise<void> {
  await call(machinesApi.remove, { params: { wg, machine } });
  await queryClient.invalidateQueries({ queryKey: keyOf(wg) });
}
