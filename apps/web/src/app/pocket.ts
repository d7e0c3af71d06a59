/** Later than what the first screen needs, ms. */
const REGISTER_AFTER_MS = 5000;
/** Files of the app's releases that are kept, about three of them; the oldest that this one does not need go first. */
const MOST_FILES = 1500;

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

/**
 * What was loaded before there was a worker is asked for again through it, from the browser's own cache. The page comes
 * last, and only where it is the one that runs: after a deploy it would name files of which none is kept.
 */
async function keepWhatIsLoaded(): Promise<void> {
  await navigator.serviceWorker.ready;
  const loaded = performance.getEntriesByType('resource').map(({ name }) => name);
  const files = new Set(loaded.filter((name) => name.startsWith(`${window.location.origin}/assets/`)));
  const cache = await caches.open('albedo-1');
  for (const file of files) if (!(await cache.match(file))) await cache.add(file);
  const kept = (await cache.keys()).filter(({ url }) => url.includes('/assets/'));
  const others = kept.filter(({ url }) => !files.has(url));
  for (const old of others.slice(0, Math.max(0, kept.length - MOST_FILES))) await cache.delete(old);
  const page = await fetch('/');
  if (page.ok && isOwnPage(await page.clone().text())) await cache.put('/', page);
}

/** Whether the page starts the app that runs here. */
function isOwnPage(html: string): boolean {
  const scripts = [...document.querySelectorAll('script[type="module"][src]')];
  return scripts.length > 0 && scripts.every((script) => html.includes(script.getAttribute('src') ?? ''));
}
