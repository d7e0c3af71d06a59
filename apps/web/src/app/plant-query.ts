import { plantsApi } from '@albedo/contract/plants/plants.api';
import { queryOptions } from '@tanstack/react-query';
import { call } from './call.ts';
import { withLastState } from './last-state.ts';

/** The day of a plant moves on by steps of some minutes; its newest values come by socket in between. */
const REFRESH_MS = 60_000;
/** A new plant is not known for one before its first values: what is none yet is looked at more often, ms. */
const NONE_YET_MS = 10_000;

/** What kind of thing a device watches, and its day where that is a plant. */
export const plantQuery = (wg: string, device: string) =>
  queryOptions({
    queryKey: ['device', wg, device, 'plant'],
    queryFn: ({ signal }) =>
      withLastState(`plant ${wg} ${device}`, () => call(plantsApi.get, { params: { wg, device } }, signal)),
    staleTime: REFRESH_MS / 2,
    refetchInterval: ({ state }) => (state.data?.kind === 'plant' ? REFRESH_MS : NONE_YET_MS),
  });
