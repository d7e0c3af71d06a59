const FLAG = 'albedo.reloaded';
/** Bypasses caches; removed from the address afterwards. */
const PARAMETER = '_fresh';
const FLAG_LIFE_MS = 10_000;
const STALE = [
  'failed to fetch dynamically imported module',
  'error loading dynamically imported module',
  'importing a module script failed',
  'failed to load module script',
];

/**
 * A new version replaces the files that an open tab would still ask for. The first screen that cannot be loaded
 * reloads the page once, with a query parameter that bypasses caches. Source: specification 1, section 4.
 *
 * A screen that is only loaded ahead does not reload the page: it fails again when it is opened.
 */
export function recoverFromStaleAssets(isLoadingAhead: () => boolean): void {
  window.addEventListener('vite:preloadError', (event) => {
    if (!isStaleAsset(event.payload)) return;
    if (isLoadingAhead() || !reloadOnce()) return keepRouterFromReloading(event.payload);
    event.preventDefault();
  });
  const address = new URL(window.location.href);
  if (address.searchParams.has(PARAMETER)) {
    address.searchParams.delete(PARAMETER);
    window.history.replaceState(window.history.state, '', address);
  }
  setTimeout(() => sessionStorage.removeItem(FLAG), FLAG_LIFE_MS);
}

/** Reloads the page past all caches; false, and nothing happens, where that was done already. */
export function reloadOnce(): boolean {
  // Without a network the browser's own page of failures would stand in place of ours, which can try again.
  if (sessionStorage.getItem(FLAG) !== null || !navigator.onLine) return false;
  sessionStorage.setItem(FLAG, '1');
  isReloading = true;
  const address = new URL(window.location.href);
  address.searchParams.set(PARAMETER, String(Date.now()));
  window.location.replace(address);
  return true;
}

let isReloading = false;

/** Whether the page is about to reload: what fails until then does not matter. */
export const isRecovering = (): boolean => isReloading;

/** The router has a recovery of its own, which would reload once more; this is how it knows that it has done so. */
function keepRouterFromReloading(error: Error): void {
  sessionStorage.setItem(`tanstack_router_reload:${error.message}`, '1');
}

export function isStaleAsset(error: Error): boolean {
  const message = error.message.toLowerCase();
  return STALE.some((text) => message.includes(text)) || message.includes('unable to preload css');
}
