import { useSyncExternalStore } from 'react';

const KEY = 'albedo.help';
const watchers = new Set<() => void>();

/** Whether the documentation stands beside the screen; the browser remembers it. */
export const useIsHelpOpen = (): boolean =>
  useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => localStorage.getItem(KEY) === 'open',
  );

export function toggleHelp(): void {
  if (localStorage.getItem(KEY) === 'open') localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, 'open');
  for (const watcher of watchers) watcher();
}
