import { boardsApi } from '@albedo/contract/boards/boards.api';
import { queryOptions } from '@tanstack/react-query';
import { call } from './call.ts';
import { withLastState } from './last-state.ts';
import { followList, unlessTold } from './live-list.ts';

followList('entity-dashboards', ['boards']);

/** The dashboards that the user may view, by name. */
export const boardsQuery = (wg: string) =>
  queryOptions({
    queryKey: ['boards', wg],
    queryFn: ({ signal }) =>
      withLastState(`boards ${wg}`, () => call(boardsApi.list, { params: { wg } }, signal)),
    staleTime: 5 * 60_000,
    refetchInterval: unlessTold(5 * 60_000),
  });
