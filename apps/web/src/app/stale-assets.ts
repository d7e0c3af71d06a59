const FLAG = 'albedo.reloaded';
/** Passes caches by; taken out of the address again once it has done so. */
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
 * reloads the page once, with a query parameter that passes caches by. Source: specification 1, section 4.
 */
export function recoverFromStaleAssets(): void {
  window.addEventListener('vite:preloadError', (event) => {
    if (!isStaleAsset(event.payload) || sessionStorage.getItem(FLAG) !== null) return;
    event.preventDefault();
    sessionStorage.setItem(FLAG, '1');
    const address = new URL(window.location.href);
    address.searchParams.set(PARAMETER, String(Date.now()));
    window.location.replace(address);
  });
  const address = new URL(window.location.href);
  if (address.searchParams.has(PARAMETER)) {
    address.searchParams.delete(PARAMETER);
    window.history.replaceState(window.history.state, '', address);
  }
  setTimeout(() => sessionStorage.removeItem(FLAG), FLAG_LIFE_MS);
}

export function isStaleAsset(error: Error): boolean {
  const message = error.message.toLowerCase();
  return STALE.some((text) => message.includes(text)) || message.includes('unable to preload css');
}
