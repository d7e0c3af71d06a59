import { useSyncExternalStore } from 'react';

/** What browsers that can install an app tell the page; no standard has it, so no types do. */
interface InstallOffer extends Event {
  prompt(): Promise<unknown>;
}

let offer: InstallOffer | null = null;
const watchers = new Set<() => void>();

/** Remembers the browser's offer to install the app, which comes once and before anybody asks for it. */
export function rememberInstallOffer(): void {
  window.addEventListener('beforeinstallprompt', (event) => set(event as InstallOffer));
  window.addEventListener('appinstalled', () => set(null));
}

/** Has the browser ask whether to install the app; null where it does not offer that, or did so already. */
export function useInstallOffer(): (() => void) | null {
  const current = useSyncExternalStore(watch, () => offer);
  if (!current) return null;
  return () => {
    // An offer is good once, whatever the answer.
    set(null);
    current.prompt().catch(() => {});
  };
}

function set(next: InstallOffer | null): void {
  offer = next;
  for (const watcher of watchers) watcher();
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}
