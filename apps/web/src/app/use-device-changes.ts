import { useEffect } from 'react';
import { queryClient } from './query-client.ts';
import { onEvent } from './socket.ts';

/** Changes of devices within this time cause a single request, ms. */
const SOON_MS = 500;

/** Refetches a query after devices have changed, as long as the screen is open. */
export function useDeviceChanges(queryKey: readonly string[]): void {
  const key = queryKey.join('\n');
  useEffect(() => {
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const refresh = () => {
      waiting = undefined;
      void queryClient.invalidateQueries({ queryKey: key.split('\n') });
    };
    const stop = onEvent('device:changed', () => {
      waiting ??= setTimeout(refresh, SOON_MS);
    });
    return () => {
      stop();
      clearTimeout(waiting);
    };
  }, [key]);
}
