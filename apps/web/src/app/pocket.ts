/** Later than what the first screen needs, ms. */
const REGISTER_AFTER_MS = 5000;

/**
 * Lets the browser keep the app, so that it opens without a network. The worker takes every page from the server while
 * that answers, and files by their hash, so that releases follow one another as without it.
 */
export function keepInPocket(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  setTimeout(() => {
    navigator.serviceWorker
      .register('/service-worker.js', { updateViaCache: 'none' })
      .then(keepWhatIsLoaded)
      // Without it the app needs a network; nothing else changes.
      .catch(() => {});
  }, REGISTER_AFTER_MS);
}

/** What was loaded before there was a worker is asked for again through it, from the browser's own cache. */
async function keepWhatIsLoaded(): Promise<void> {
  await navigator.serviceWorker.ready;
  const loaded = performance.getEntriesByType('resource').map(({ name }) => name);
  const files = loaded.filter((name) => name.startsWith(`${window.location.origin}/assets/`));
  const cache = await caches.open('albedo-1');
  await cache.add('/');
  for (const file of new Set(files)) if (!(await cache.match(file))) await cache.add(file);
}
