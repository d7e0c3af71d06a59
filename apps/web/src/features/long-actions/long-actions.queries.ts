import { longActionsApi } from '@albedo/contract/long-actions/long-actions.api';
import type { LongAction } from '@albedo/contract/long-actions/long-actions.schema';
import { isOver } from '@albedo/contract/long-actions/long-actions.state';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../app/call.ts';
import { followList, unlessTold } from '../../app/live-list.ts';
import { queryClient } from '../../app/query-client.ts';
import { onConnected, onEvent } from '../../app/socket.ts';

/** Where a list of long actions is: the caller's own in a workgroup, or those of the staff. */
export type Place = { wg: string } | 'staff';

followList('long-actions', ['long-actions']);

/** Newest first. */
export const longActionsQuery = (place: Place) =>
  queryOptions({
    queryKey: ['long-actions', place],
    queryFn: ({ signal }) =>
      place === 'staff'
        ? call(longActionsApi.staffList, {}, signal)
        : call(longActionsApi.list, { params: place }, signal),
    refetchInterval: unlessTold(5_000),
  });

/** Takes over what the server tells of the user's own; the answer ends it. */
export function followLongActions(): () => void {
  const ends = [
    onEvent('long-action:changed', put),
    onConnected(() => void queryClient.invalidateQueries({ queryKey: ['long-actions'] })),
  ];
  return () => {
    for (const end of ends) end();
  };
}

/** Puts what is known already into the lists that have it; one that no list has makes them ask again. */
function put(action: LongAction): void {
  let isKnown = false;
  queryClient.setQueriesData<LongAction[]>({ queryKey: ['long-actions'] }, (list) => {
    if (!list?.some(({ id }) => id === action.id)) return list;
    isKnown = true;
    return list.map((one) => (one.id === action.id ? action : one));
  });
  if (!isKnown || isOver(action.state)) void refreshLongActions();
}

/** Has the lists asked for again, such as after one was begun. */
export const refreshLongActions = (): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: ['long-actions'] });

export async function cancelLongAction(place: Place, action: string): Promise<void> {
  await (place === 'staff'
    ? call(longActionsApi.staffCancel, { params: { action } })
    : call(longActionsApi.cancel, { params: { ...place, action } }));
  await refreshLongActions();
}

export async function retryLongAction(place: Place, action: string): Promise<void> {
  await (place === 'staff'
    ? call(longActionsApi.staffRetry, { params: { action } })
    : call(longActionsApi.retry, { params: { ...place, action } }));
  await refreshLongActions();
}

export async function dismissLongAction(place: Place, action: string): Promise<void> {
  await (place === 'staff'
    ? call(longActionsApi.staffDismiss, { params: { action } })
    : call(longActionsApi.dismiss, { params: { ...place, action } }));
  await refreshLongActions();
}

/** Has the browser itself fetch the file, which neither keeps it in memory nor gives up after a while. */
export async function downloadResult(place: Place, action: string): Promise<void> {
  const { path } = await (place === 'staff'
    ? call(longActionsApi.staffOfferFile, { params: { action } })
    : call(longActionsApi.offerFile, { params: { ...place, action } }));
  const link = document.createElement('a');
  link.href = path;
  link.download = '';
  link.click();
}
