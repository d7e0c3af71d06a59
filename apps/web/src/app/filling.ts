import { demoApi } from '@albedo/contract/demo/demo.api';
import { DEMO_WORKGROUP } from '@albedo/contract/demo/demo.names';
import type { Filling } from '@albedo/contract/demo/demo.schema';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from './call.ts';
import { useSession } from './session.ts';

/** How much of the demo's history has been filled in. Other workgroups do not ask; changes come by socket. */
export const fillingQuery = (wg: string) =>
  queryOptions({
    queryKey: ['demo', wg, 'filling'],
    queryFn: async ({ signal }) => (await call(demoApi.filling, { params: { wg } }, signal)).filling ?? null,
    enabled: wg === DEMO_WORKGROUP.name,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Null unless history is being filled in. A display has no session and is not told. */
export const useFilling = (): Filling | null =>
  useQuery(fillingQuery(useSession()?.workgroup ?? '')).data ?? null;

/** Whether data since `from` (epoch ms) is still being filled in: figures of that time would be wrong. */
export function useIsArriving(from: number): boolean {
  const filling = useFilling();
  return filling !== null && isArriving(filling, from);
}

export const isArriving = ({ wholeFrom }: Filling, from: number): boolean =>
  wholeFrom === null || from < wholeFrom;
