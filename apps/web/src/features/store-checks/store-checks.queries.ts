import { storeChecksApi } from '@albedo/contract/store-checks/store-checks.api';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../app/call.ts';
import { followList, unlessTold } from '../../app/live-list.ts';

followList('damages', ['damages']);

/** What the disk of the server has damaged; for the staff. */
export const damagesQuery = queryOptions({
  queryKey: ['damages'],
  queryFn: ({ signal }) => call(storeChecksApi.damages, {}, signal),
  refetchInterval: unlessTold(60_000),
});
