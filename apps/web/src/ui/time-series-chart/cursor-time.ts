import { useSyncExternalStore } from 'react';

/** The instant under the crosshair that the charts of the page share, epoch ms; null while the pointer is elsewhere. */
let hovered: number | null = null;
const watchers = new Set<() => void>();

export function setHovered(at: number | null): void {
  if (at === hovered) return;
  hovered = at;
  for (const watcher of watchers) watcher();
}

const watch = (watcher: () => void) => {
  watchers.add(watcher);
  return () => {
    watchers.delete(watcher);
  };
};

export const useHovered = (): number | null => useSyncExternalStore(watch, () => hovered);

/** Whether the pointer is in a chart: known without being drawn again for each step that it takes. */
export const useIsHovered = (): boolean => useSyncExternalStore(watch, () => hovered !== null);
