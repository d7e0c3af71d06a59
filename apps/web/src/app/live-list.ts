import type { ListName } from '@albedo/contract/lists/lists.socket';
import { queryClient } from './query-client.ts';
import { isLive, onConnected, onEvent } from './socket.ts';

/** Between two looks at a list whose changes the server announces (not all: no sign-ins, for one), ms. */
const TOLD_MS = 120_000;

/** How often a list is asked for: every `ms` while the server cannot announce its changes, else now and then. */
export const unlessTold = (ms: number) => (): number => (isLive() ? Math.max(ms, TOLD_MS) : ms);

/**
 * Asks again for a list, and what hangs on it, whenever the server says that it is another one now, and when the
 * connection came back. `heads` are the first parts of the query keys. One question at a time: what changes before the
 * answer is asked for once, after it.
 */
export function followList(list: ListName, heads: readonly [string, ...string[]]): void {
  let isAsking = false;
  let isStale = false;

  async function refresh(): Promise<void> {
    isStale = true;
    if (isAsking) return;
    isAsking = true;
    while (isStale) {
      isStale = false;
      await Promise.all(heads.map((head) => queryClient.invalidateQueries({ queryKey: [head] })));
    }
    isAsking = false;
  }

  onEvent('list:changed', (changed) => {
    if (changed.list === list) void refresh();
  });
  onConnected(() => void refresh());
}
