import { useSyncExternalStore } from 'react';

/** Whether keys without a modifier do something; who talks to the computer, or is easily interrupted, may want none. */
const KEPT = 'albedo.keys';

let isListShown = false;
const watchers = new Set<() => void>();
const watch = (watcher: () => void) => {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
};

/** Shows the list of all keys, or takes it away. */
export function showShortcuts(isShown: boolean): void {
  isListShown = isShown;
  for (const watcher of watchers) watcher();
}

export const areShortcutsShown = (): boolean => isListShown;
export const useAreShortcutsShown = (): boolean => useSyncExternalStore(watch, areShortcutsShown);

export const areKeysOn = (): boolean => localStorage.getItem(KEPT) !== 'off';

export function setKeysOn(isOn: boolean): void {
  if (isOn) localStorage.removeItem(KEPT);
  else localStorage.setItem(KEPT, 'off');
  for (const watcher of watchers) watcher();
}

export const useAreKeysOn = (): boolean => useSyncExternalStore(watch, areKeysOn);
