import { useSyncExternalStore } from 'react';

let isPrinting = false;
const watchers = new Set<() => void>();

function set(next: boolean): void {
  isPrinting = next;
  for (const watcher of watchers) watcher();
}

/** Has the board drawn as a whole, for paper, and then printed. */
export function printBoard(): void {
  set(true);
}

export function endPrint(): void {
  set(false);
}

/** Whether the board is drawn for paper at this moment. */
export const useIsPrinting = (): boolean =>
  useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => isPrinting,
  );
