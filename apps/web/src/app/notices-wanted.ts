import { useSyncExternalStore } from 'react';

let isWanted = false;
const watchers = new Set<() => void>();

/** There is something to say: notifications are drawn from now on, before anybody signed in too. */
export function wantNotices(): void {
  isWanted = true;
  for (const watcher of watchers) watcher();
}

export const useNoticesWanted = (): boolean => useSyncExternalStore(watch, () => isWanted);

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}
