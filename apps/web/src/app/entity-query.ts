import { entitiesApi } from '@albedo/contract/entities/entities.api';
import { queryOptions } from '@tanstack/react-query';
import { call } from './call.ts';
import { followList, unlessTold } from './live-list.ts';

followList('entities', ['entities']);

/** Every entity that the user may see, by name. */
export const entitiesQuery = (wg: string) =>
  queryOptions({
    queryKey: ['entities', wg] as const,
    queryFn: ({ signal }) => call(entitiesApi.list, { params: { wg } }, signal),
    staleTime: 5 * 60_000,
    refetchInterval: unlessTold(5 * 60_000),
  });

/** What devices send, source by source, and what it means. */
export const entitySourcesQuery = (wg: string) =>
  queryOptions({
    queryKey: ['entity-sources', wg],
    queryFn: ({ signal }) => call(entitiesApi.sources, { params: { wg } }, signal),
    staleTime: 60_000,
  });
