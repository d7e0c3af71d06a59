import { useSyncExternalStore } from 'react';

/** Quiet time after the person dismissed the prompt. Source: specification 1, section 9. */
const SNOOZE_MS = 5 * 60_000;

export type UpdateState = 'current' | 'required' | 'snoozed';

let state: UpdateState = 'current';
const watchers = new Set<() => void>();

/** The server serves a newer web app than the one that runs here. */
export function requireUpdate(): void {
  if (state === 'current') change('required');
}

export function snoozeUpdate(): void {
  change('snoozed');
  setTimeout(() => change('required'), SNOOZE_MS);
}

export const useUpdateState = (): UpdateState =>
  useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => state,
  );

function change(next: UpdateState): void {
  state = next;
  for (const watcher of watchers) watcher();
}
