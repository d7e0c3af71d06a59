import { glanceApi } from '@albedo/contract/glance/glance.api';
import type { PlantGlance } from '@albedo/contract/glance/glance.schema';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../call.ts';
import { withLastState } from '../last-state.ts';
import { plantQuery } from '../plant-query.ts';
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

/**
 * What it says of one device: its plant, or that this may still come. A device that is no plant waits for nothing, and a
 * glance that fails has nothing to say.
 */
export function useGlanceOf(device: string): { plant: PlantGlance | undefined; isComing: boolean } {
  const wg = useWorkgroup();
  const { data: kind, isFetched: isKnown } = useQuery(plantQuery(wg, device));
  // Both are asked for at once: most who look at one device have a plant before them.
  const mayBe = kind ? kind.kind === 'plant' : !isKnown;
  const { data, isFetched } = useQuery({ ...glanceQuery(wg), enabled: mayBe });
  const plant = data?.plants.find((plant) => plant.device === device);
  return { plant, isComing: mayBe && !isFetched };
}
