import { installationApi } from '@albedo/contract/installation/installation.api';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../app/call.ts';

/** The installation that answers; it changes with a release. */
export const installationQuery = queryOptions({
  queryKey: ['installation'],
  queryFn: ({ signal }) => call(installationApi.get, {}, signal),
  staleTime: 60 * 60_000,
});

/** The plans that the staff offer for a new workgroup. */
export const plansQuery = queryOptions({
  queryKey: ['plans'],
  queryFn: ({ signal }) => call(installationApi.plans, {}, signal),
  staleTime: 60 * 60_000,
});
