import { useSyncExternalStore } from 'react';

let isWanted = false;
const watchers = new Set<() => void>();

/** Something is to be told before anybody signed in, so notifications have to be drawn from now on. */
export function wantNotices(): void {
  isWanted = true;
  for (const watcher of watchers) watcher();
}

export const useNoticesWanted = (): boolean => useSyncExternalStore(watch, () => isWanted);

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}
