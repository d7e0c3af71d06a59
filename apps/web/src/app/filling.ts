import { demoApi } from '@albedo/contract/demo/demo.api';
import { DEMO_WORKGROUP } from '@albedo/contract/demo/demo.names';
import type { Filling } from '@albedo/contract/demo/demo.schema';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from './call.ts';
import { useSession } from './session.ts';

/** How far the past of the demo is; other workgroups have nothing to ask for. What changes comes by socket. */
export const fillingQuery = (wg: string) =>
  queryOptions({
    queryKey: ['demo', wg, 'filling'],
    queryFn: async ({ signal }) => (await call(demoApi.filling, { params: { wg } }, signal)).filling ?? null,
    enabled: wg === DEMO_WORKGROUP.name,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Null where no past is on its way. A screen with a display link has no session, and is not told. */
export const useFilling = (): Filling | null =>
  useQuery(fillingQuery(useSession()?.workgroup ?? '')).data ?? null;

/** Whether something that happened since `from` (epoch ms) is still on its way: a figure of that time would be wrong. */
export function useIsArriving(from: number): boolean {
  const filling = useFilling();
  return filling !== null && isArriving(filling, from);
}

export const isArriving = ({ wholeFrom }: Filling, from: number): boolean =>
  wholeFrom === null || from < wholeFrom;
