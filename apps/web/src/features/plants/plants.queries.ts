import type { LatestSource } from '@albedo/contract/devices/devices.schema';
import { type PlantReading, type ReadSource, readPlant } from '@albedo/contract/plants/plant-reading';
import { plantsApi } from '@albedo/contract/plants/plants.api';
import type { PlantDetail } from '@albedo/contract/plants/plants.schema';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../app/call.ts';
import { withLastState } from '../../app/last-state.ts';
import { queryClient } from '../../app/query-client.ts';
import { onEvent } from '../../app/socket.ts';

const LIST_REFRESH_MS = 20_000;

export const plantListQuery = (wg: string) =>
  queryOptions({
    queryKey: ['plants', wg],
    queryFn: ({ signal }) =>
      withLastState(`plants ${wg}`, () => call(plantsApi.list, { params: { wg } }, signal)),
    staleTime: LIST_REFRESH_MS / 2,
    refetchInterval: LIST_REFRESH_MS,
  });

/** A plant whose device was removed goes at once, until the returned function is called. */
export const followRemovals = (wg: string): (() => void) =>
  onEvent('device:removed', ({ deviceId }) =>
    queryClient.setQueryData(
      plantListQuery(wg).queryKey,
      (old) => old && { ...old, plants: old.plants.filter(({ device }) => device !== deviceId) },
    ),
  );

/** The plant as its newest values say, those that came by socket included. */
export function readingOf(plant: PlantDetail, latest: readonly LatestSource[], now: number): PlantReading {
  const newest = new Map(latest.map((one) => [keyOf(one), one]));
  const sources = plant.sources.flatMap((source): ReadSource[] => {
    const one = newest.get(keyOf(source));
    return one ? [{ ...one, kind: source.kind, places: source.places as ReadSource['places'] }] : [];
  });
  return readPlant(sources, { now, ratedPowerW: plant.ratedPowerW });
}

const keyOf = ({ table, source }: Pick<LatestSource, 'table' | 'source'>): string => `${table}\n${source}`;
