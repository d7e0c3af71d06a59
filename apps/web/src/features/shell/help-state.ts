import { useSyncExternalStore } from 'react';
import { NARROW_PX } from '../../ui/use-is-narrow.ts';

const KEY = 'albedo.help';
const watchers = new Set<() => void>();
const isNarrow = (): boolean => window.innerWidth < NARROW_PX;

/** On a phone it covers the screen, so it does not open again by itself there. */
let isOpen = !isNarrow() && localStorage.getItem(KEY) === 'open';

/** Whether the documentation stands beside the screen; the browser remembers it. */
export const useIsHelpOpen = (): boolean =>
  useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => isOpen,
  );

export function toggleHelp(): void {
  isOpen = !isOpen;
  if (isOpen && !isNarrow()) localStorage.setItem(KEY, 'open');
  else localStorage.removeItem(KEY);
  for (const watcher of watchers) watcher();
}

/** Another screen is opened, which it must not lie over. */
export function uncover(): void {
  if (isOpen && isNarrow()) toggleHelp();
}
