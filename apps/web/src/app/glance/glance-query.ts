import { glanceApi } from '@albedo/contract/glance/glance.api';
import type { PlantGlance } from '@albedo/contract/glance/glance.schema';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../call.ts';
import { withLastState } from '../last-state.ts';
import { plantQuery } from '../plant-query.ts';
import { useWorkgroup } from '../session.ts';

const REFRESH_MS = 20_000;

/** The state of the plants, the worst first. Boards and plant pages share this answer. */
export const glanceQuery = (wg: string) =>
  queryOptions({
    queryKey: ['glance', wg],
    queryFn: ({ signal }) =>
      withLastState(`glance ${wg}`, () => call(glanceApi.get, { params: { wg } }, signal)),
    staleTime: REFRESH_MS / 2,
    refetchInterval: REFRESH_MS,
  });

/**
 * The plant of one device, and whether it may still be loading. A device that is not a plant never waits, and a failed
 * request counts as no plant.
 */
export function useGlanceOf(device: string): { plant: PlantGlance | undefined; isComing: boolean } {
  const wg = useWorkgroup();
  const { data: kind, isFetched: isKnown } = useQuery(plantQuery(wg, device));
  // Both requests start at once: most devices that people open are plants.
  const mayBe = kind ? kind.kind === 'plant' : !isKnown;
  const { data, isFetched } = useQuery({ ...glanceQuery(wg), enabled: mayBe });
  const plant = data?.plants.find((plant) => plant.device === device);
  return { plant, isComing: mayBe && !isFetched };
}
