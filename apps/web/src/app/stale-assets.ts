import { isLoadingAhead } from '../ui/load-ahead.ts';

const FLAG = 'albedo.reloaded';
/** Bypasses caches; removed from the address afterwards. */
const PARAMETER = '_fresh';
const FLAG_LIFE_MS = 10_000;
const ASK_AGAIN_MS = 1000;
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
export function recoverFromStaleAssets(): void {
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

/**
 * Reloads the page past all caches, as soon as the server answers; false, and nothing happens, where that was done
 * already.
 */
export function reloadOnce(): boolean {
  // Without a network the browser's own page of failures would stand in place of ours, which can try again.
  if (sessionStorage.getItem(FLAG) !== null || !navigator.onLine) return false;
  sessionStorage.setItem(FLAG, '1');
  isReloading = true;
  const address = new URL(window.location.href);
  address.searchParams.set(PARAMETER, String(Date.now()));
  void replaceOnceServed(address);
  return true;
}

/** While a release is started nobody answers, and the browser would put its own page of failures in place of ours. */
async function replaceOnceServed(address: URL): Promise<void> {
  const isServed = () =>
    fetch(address, { method: 'HEAD', headers: { accept: 'text/html' }, cache: 'no-store' }).then(
      (answer) => answer.ok,
      () => false,
    );
  while (!(await isServed())) await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
  window.location.replace(address);
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
