/**
 * Lets the app open without a network. Pages come from the server whenever it answers, so that nobody is held on an old
 * release; files with a hash in their name never change and come from the cache. The API is left alone.
 */
const CACHE = 'albedo-1';
const PAGE = '/';
const HASHED = /^\/assets\/[^/]+-[\w-]{8}\.\w+$/;

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(begin()));
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin) return;
  if (request.mode === 'navigate') event.respondWith(openPage(request, pathname));
  else if (HASHED.test(pathname)) event.respondWith(openFile(request));
});

async function begin() {
  for (const name of await caches.keys()) if (name !== CACHE) await caches.delete(name);
  await self.clients.claim();
}

/**
 * Every address of the app has the same page. The app itself keeps it once it has started (`app/pocket.ts`): a page that
 * came before its files did would open as nothing.
 */
async function openPage(request, pathname) {
  try {
    return await fetch(request);
  } catch (error) {
    const isOfApp = !/^\/(?:api|docs)(?:\/|$)/.test(pathname);
    const kept = isOfApp ? await caches.match(PAGE) : undefined;
    if (kept) return kept;
    throw error;
  }
}

async function openFile(request) {
  const kept = await caches.match(request.url);
  if (kept) return kept;
  const reply = await fetch(request);
  if (reply.ok && reply.type === 'basic') await keep(request.url, reply);
  return reply;
}

/** Keeps a copy; a full disk is no reason to show nothing. The app throws old ones away. */
async function keep(address, reply) {
  try {
    const cache = await caches.open(CACHE);
    await cache.put(address, reply.clone());
  } catch {
    // It is fetched again the next time.
  }
}
