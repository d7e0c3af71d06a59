import { glanceApi } from '@albedo/contract/glance/glance.api';
import type { PlantGlance } from '@albedo/contract/glance/glance.schema';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../call.ts';
import { withLastState } from '../last-state.ts';
import { useWorkgroup } from '../session.ts';

const REFRESH_MS = 20_000;

/** How the plants do, the worst first: boards and pages of plants read this one answer. */
export const glanceQuery = (wg: string) =>
  queryOptions({
    queryKey: ['glance', wg],
    queryFn: ({ signal }) =>
      withLastState(`glance ${wg}`, () => call(glanceApi.get, { params: { wg } }, signal)),
    staleTime: REFRESH_MS / 2,
    refetchInterval: REFRESH_MS,
  });

/** One plant of it; undefined while it is not known, null for a device that is no plant. */
export function usePlantGlance(device: string): PlantGlance | null | undefined {
  const { data } = useQuery(glanceQuery(useWorkgroup()));
  return data && (data.plants.find((one) => one.device === device) ?? null);
}
