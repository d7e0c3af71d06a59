import { hashKey } from '@tanstack/react-query';
import { fillingQuery } from '../../app/filling.ts';
import { queryClient } from '../../app/query-client.ts';
import { onConnected, onEvent } from '../../app/socket.ts';

/** Follows how far the past of the demo is, until the returned function is called. */
export function followFilling(wg: string): () => void {
  const { queryKey } = fillingQuery(wg);
  const stops = [
    onEvent('demo:filling', ({ filling }) => {
      const before = queryClient.getQueryData(queryKey);
      queryClient.setQueryData(queryKey, filling);
      // The last day is there, or all of it: what stands on screen was answered without.
      const isMore = before && (!filling || (before.wholeFrom === null && filling.wholeFrom !== null));
      if (isMore)
        void queryClient.invalidateQueries({ predicate: ({ queryHash }) => queryHash !== hashKey(queryKey) });
    }),
    onConnected(() => {
      // What was asked for while the connection was on its way is as new.
      if (queryClient.getQueryData(queryKey)) void queryClient.invalidateQueries({ queryKey });
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
