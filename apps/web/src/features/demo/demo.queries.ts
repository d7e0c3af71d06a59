import { hashKey } from '@tanstack/react-query';
import { fillingQuery } from '../../app/filling.ts';
import { queryClient } from '../../app/query-client.ts';
import { onConnected, onEvent } from '../../app/socket.ts';

/** Follows how much of the demo's history is filled in, until the returned function is called. */
export function followFilling(wg: string): () => void {
  const { queryKey } = fillingQuery(wg);
  const stops = [
    onEvent('demo:filling', ({ filling }) => {
      const before = queryClient.getQueryData(queryKey);
      queryClient.setQueryData(queryKey, filling);
      // The last day, or everything, has just been filled in: what is on screen was answered without it.
      const isMore = before && (!filling || (before.wholeFrom === null && filling.wholeFrom !== null));
      if (isMore)
        void queryClient.invalidateQueries({ predicate: ({ queryHash }) => queryHash !== hashKey(queryKey) });
    }),
    onConnected(() => {
      // An answer from before the connection may have missed a change.
      if (queryClient.getQueryData(queryKey)) void queryClient.invalidateQueries({ queryKey });
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
